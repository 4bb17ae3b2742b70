package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;
import dev.lychgate.proxyprotocol.ProxyHeader;

/**
 * Who waits for a connection, or has borrowed one. Hears on the event loop how the waiting ended: exactly one of the first two,
 * unless it was cancelled.
 */
public interface AcquireListener {
    /** A connection is there, and ours until the lease is given back. */
    void onLease(ConnectionLease lease);

    /** None came: connect refused, failed or timed out, the queue is full, or the wait was too long. */
    void onAcquireFailed(GatewayError error);

    /** Whose request it is; asked for only where origins want to hear it by the PROXY protocol. */
    default ProxyHeader onBehalfOf() {
        return ProxyHeader.NOBODY;
    }

    /**
     * Others wait for a connection, and the pool may open no more. If nothing is done with this one because a client keeps
     * it waiting, it is to be given back now. Told on the event loop, outside of any read.
     *
     * @param patience for how long a client may do that, in nanoseconds
     * @return whether it has been given back
     */
    default boolean onWanted(long patience) {
        return false;
    }
}
