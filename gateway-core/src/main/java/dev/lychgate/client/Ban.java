package dev.lychgate.client;

import dev.lychgate.limit.ClientPrefix;
import java.time.Instant;

/**
 * A ban of a client for a limited time. {@link Bans} measures the time with the monotonic clock, and shows the end of
 * the ban as wall time.
 *
 * @param client the address, or the block of addresses, that is banned
 * @param until the time at which the ban ends
 * @param reason the reason, as the log and the admin server show it
 * @param by the kind of author
 * @param author the name of the filter, of the listener that has the rule, or of the operator
 */
public record Ban(ClientPrefix client, Instant until, String reason, Source by, String author) {
    /** The kinds of authors of bans. */
    public enum Source {
        /** A filter. */
        FILTER,
        /** The ban rule of a listener, which limits the share of errors. */
        ERRORS,
        /** An operator. */
        OPERATOR
    }
}
