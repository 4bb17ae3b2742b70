package dev.lychgate.origin;

import org.jspecify.annotations.Nullable;

/** The operations of a connection to an origin that its pool uses. Used on its event loop. */
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
     * @return whether the connection may carry another exchange; if not, the caller closes it
     */
    boolean giveBack(OriginStream stream);

    /**
     * Leases {@code stream}, which has become a tunnel, permanently. If the connection carries no other stream, its
     * owner removes it, and is not notified when the connection ends.
     *
     * @param ended runs on the event loop when the tunnel is closed, if the connection still belongs to its owner
     */
    OriginTunnel keep(OriginStream stream, Runnable ended);

    /** Closes the connection. Notifies the owner of the connection, but not a listener that waits for a response. */
    void close();
}
