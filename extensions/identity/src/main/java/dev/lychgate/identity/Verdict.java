package dev.lychgate.identity;

import dev.lychgate.filter.Identity;

/** The result of a verification. */
sealed interface Verdict {
    /**
     * An accepted token.
     *
     * @param until the time until which this verdict is valid, in milliseconds since the epoch
     * @param identity the identity of the sender
     */
    record Accepted(long until, Identity identity) implements Verdict {}

    /**
     * The token is not accepted.
     *
     * @param description the value of {@code error_description}; never contains parts of the token
     */
    record Refused(String description) implements Verdict {}

    /** The token is from another issuer, for which another authenticator may be responsible. */
    record Foreign(String description) implements Verdict {}

    /** No known key has the id that the token names. Newer keys of the issuer may include a key with this id. */
    record UnknownKey() implements Verdict {}
}
