package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;

/** Opens connections to origins, on the event loop that asks; the seam between a pool and the network. */
public interface Connector {
    /** Hears how a connect ended, on the event loop: exactly one of these. */
    interface Outcome {
        void onConnected(PooledConnection connection);

        /** The connection carries several exchanges at once; it is like any other if this is not overridden. */
        default void onMultiplexed(Http2OriginConnection connection) {
            onConnected(connection);
        }

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
