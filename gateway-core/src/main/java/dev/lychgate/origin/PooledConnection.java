package dev.lychgate.origin;

import org.jspecify.annotations.Nullable;

/** A connection to an origin as its pool uses it. Used on its event loop. */
public interface PooledConnection {
    ConnectionUse use();

    boolean isOpen();

    /** Returns how many exchanges are under way on it. */
    int exchanges();

    /** Returns a stream for one exchange; null if there is no room for another one. */
    @Nullable
    OriginStream lend();

    /**
     * Ends the exchange of a stream that {@link #lend} returned, and aborts its unfinished parts.
     *
     * @return whether the connection may carry another exchange; if not, the caller closes it
     */
    boolean giveBack(OriginStream stream);

    /**
     * Lends {@code stream}, which has become a tunnel, for good. If the connection carries nothing else, it leaves its owner,
     * which is not notified of its end.
     *
     * @param ended runs when the tunnel is closed, on the event loop, if the connection is still its owner's
     */
    OriginTunnel keep(OriginStream stream, Runnable ended);

    /** Closes it. Its owner is notified, a listener that waits for a response is not. */
    void close();
}
