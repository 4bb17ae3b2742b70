package dev.lychgate.origin;

import org.jspecify.annotations.Nullable;

/** A connection to an origin as the pool sees it that keeps it. Used on its event loop. */
public interface PooledConnection {
    /** How many requests have begun on it. */
    int requests();

    /** When it was made, in wheel time (ns). */
    long createdAt();

    /** Since when nobody has used it, in wheel time (ns); meaningless while it is lent. */
    long idleSince();

    boolean isOpen();

    /** A way for one exchange; null if there is no room for another one. */
    @Nullable
    OriginStream lend();

    /** How long it took to open is told, in nanoseconds. */
    void connectTook(long nanos);

    /** Closes it; its owner hears of it, whoever waits for an answer does not. */
    void close();
}
