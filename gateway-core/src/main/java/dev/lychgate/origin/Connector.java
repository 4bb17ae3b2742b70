package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;

/** Opens connections to origins, on the event loop that asks; the seam between a pool and the network. */
public interface Connector {
    /** Hears how a connect ended, on the event loop: exactly one of the two. */
    interface Outcome {
        void onConnected(PooledConnection connection);

        void onConnectFailed(GatewayError error);
    }

    /**
     * Connects.
     *
     * @param timeout longest wait, in nanoseconds; a TLS handshake counts
     * @param owner hears when the connection, once it is there, has closed
     */
    void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome);
}
