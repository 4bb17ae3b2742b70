package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;
import dev.lychgate.proxyprotocol.ProxyHeader;

/**
 * A request that waits for a connection or holds one. Either {@link #onLease} or {@link #onAcquireFailed} is called
 * exactly once, on the event loop, unless the acquire is cancelled.
 */
public interface AcquireListener {
    /** Delivers a connection, which the listener owns until it releases the lease. */
    void onLease(ConnectionLease lease);

    /** Reports a failure: connect refused, failed or timed out, queue full, or acquire timeout. */
    void onAcquireFailed(GatewayError error);

    /** Returns the client of the request; called only for origins that use the PROXY protocol. */
    default ProxyHeader onBehalfOf() {
        return ProxyHeader.NOBODY;
    }

    /**
     * Requests the release of the connection if the client is slow. Called while other requests wait for a connection
     * and the pool has reached its limit of connections, or while memory is scarce. The call is on the event loop,
     * outside of any read.
     *
     * @param patience time for which a client may keep the connection waiting, in nanoseconds
     * @return whether the connection has been released
     */
    default boolean onWanted(long patience) {
        return false;
    }
}
