package dev.lychgate.origin;

import org.jspecify.annotations.Nullable;

/** The operations by which a pool uses a connection to an origin. Called on the event loop of the connection. */
public interface PooledConnection {
    ConnectionUse use();

    boolean isOpen();

    int exchanges();

    /** Returns a stream for one exchange; null if the connection has no capacity left. */
    @Nullable
    OriginStream lend();

    /**
     * Ends the exchange of a stream that {@link #lend} returned, and aborts the unfinished parts of the exchange.
     *
     * @return true if the connection may carry another exchange; false if the caller must close it
     */
    boolean giveBack(OriginStream stream);

    /**
     * Leases {@code stream} permanently, because it has become a tunnel. If the connection carries one exchange at a
     * time, the owner must remove the connection, and gets no further notification.
     *
     * @param ended runs on the event loop when the tunnel of a multiplexed connection is closed; not used otherwise
     */
    OriginTunnel keep(OriginStream stream, Runnable ended);

    /** Closes the connection. Notifies the owner of the connection, but not a listener that waits for a response. */
    void close();
}
