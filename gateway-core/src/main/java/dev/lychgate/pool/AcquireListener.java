package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;
import dev.lychgate.proxyprotocol.ProxyHeader;

/**
 * A request that waits for a connection or has leased one. Exactly one of {@link #onLease} and {@link #onAcquireFailed}
 * is called, one time, on the event loop. If the acquire is cancelled, neither of the two methods is called.
 */
public interface AcquireListener {
    /** Delivers a connection. The listener owns the connection until it releases the lease. */
    void onLease(ConnectionLease lease);

    /** Reports a failure: connect refused, failed or timed out, queue full, or acquire timeout. */
    void onAcquireFailed(GatewayError error);

    /**
     * Returns the PROXY protocol header for the client of the request. Called if the origin uses the PROXY protocol.
     */
    default ProxyHeader onBehalfOf() {
        return ProxyHeader.NOBODY;
    }

    /**
     * Requests the release of the connection if the client is slow. The pool calls this method while memory is scarce,
     * or while requests wait and the limit of connections is reached. Called on the event loop, but not during a read.
     *
     * @param patience time for which a client may keep the connection waiting, in nanoseconds
     * @return whether the connection has been released
     */
    default boolean onWanted(long patience) {
        return false;
    }
}
