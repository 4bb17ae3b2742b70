package dev.lychgate.pool;

import dev.lychgate.error.GatewayError;

/** Hears how waiting for a connection ended, on the event loop: exactly one of the two, unless it was cancelled. */
public interface AcquireListener {
    /** A connection is there, and ours until the lease is given back. */
    void onLease(ConnectionLease lease);

    /** None came: connect refused, failed or timed out, the queue is full, or the wait was too long. */
    void onAcquireFailed(GatewayError error);
}
