package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;
import dev.lychgate.proxyprotocol.ProxyHeader;

/** Hears how waiting for a connection ended, on the event loop: exactly one of the two, unless it was cancelled. */
public interface AcquireListener {
    /** A connection is there, and ours until the lease is given back. */
    void onLease(ConnectionLease lease);

    /** None came: connect refused, failed or timed out, the queue is full, or the wait was too long. */
    void onAcquireFailed(GatewayError error);

    /** Whose request it is; asked for only where origins want to hear it by the PROXY protocol. */
    default ProxyHeader onBehalfOf() {
        return ProxyHeader.NOBODY;
    }
}
