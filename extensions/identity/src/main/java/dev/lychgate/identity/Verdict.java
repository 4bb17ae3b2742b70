package dev.lychgate.identity;

import java.util.Map;

/** The result of a verification. */
sealed interface Verdict {
    /**
     * An accepted token.
     *
     * @param until the end of its validity, in milliseconds since the epoch
     * @param fields the request fields that the claims become
     */
    record Accepted(long until, Map<String, String> fields) implements Verdict {}

    /** @param description for {@code error_description}; it never contains parts of the token */
    record Refused(String description) implements Verdict {}
}
