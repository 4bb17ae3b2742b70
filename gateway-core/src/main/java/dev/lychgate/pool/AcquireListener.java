package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;
import dev.lychgate.proxyprotocol.ProxyHeader;

/**
 * Waits for a connection, or holds one. Exactly one of the first two methods is called on the event loop, unless the acquire
 * is cancelled.
 */
public interface AcquireListener {
    /** Delivers a connection, owned by the listener until it releases the lease. */
    void onLease(ConnectionLease lease);

    /** Reports a failure: connect refused, failed or timed out, queue full, or acquire timeout. */
    void onAcquireFailed(GatewayError error);

    /** Returns the client of the request; called only for origins that use the PROXY protocol. */
    default ProxyHeader onBehalfOf() {
        return ProxyHeader.NOBODY;
    }

    /**
     * Requests the release of a connection with a slow client. Other requests wait for it, and the pool may open no more, or
     * memory is scarce. Called on the event loop, outside of any read.
     *
     * @param patience time for which a client may keep the connection waiting, in nanoseconds
     * @return whether the connection has been released
     */
    default boolean onWanted(long patience) {
        return false;
    }
}
