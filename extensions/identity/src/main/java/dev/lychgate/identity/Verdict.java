package dev.lychgate.identity;

import java.util.Map;

/** The result of a verification. */
sealed interface Verdict {
    /**
     * An accepted token.
     *
     * @param until the time until which this verdict is valid, in milliseconds since the epoch
     * @param fields the request header fields that are set to claims
     */
    record Accepted(long until, Map<String, String> fields) implements Verdict {}

    /** @param description the value of {@code error_description}; never contains parts of the token */
    record Refused(String description) implements Verdict {}
}
