package dev.lychgate.client;

import java.time.Instant;

/**
 * A ban of a client, until a time.
 *
 * @param client the client
 * @param until the time at which it ends
 * @param reason why, as the log and operators see it
 * @param by who has set it
 * @param author the filter with its name, the listener whose rule it was, or the operator
 */
public record Ban(ClientPrefix client, Instant until, String reason, Source by, String author) {
    /** Who sets bans. */
    public enum Source {
        /** A filter. */
        FILTER,
        /** The rule of a listener for shares of errors. */
        ERRORS,
        /** An operator. */
        OPERATOR
    }
}
