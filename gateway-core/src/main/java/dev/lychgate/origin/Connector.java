package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;

/** Opens connections to origins, on the calling event loop; the seam between a pool and the network. */
public interface Connector {
    /** Receives the outcome of a connect, on the event loop: exactly one of these calls. */
    interface Outcome {
        void onConnected(PooledConnection connection);

        /** Reports a connection that carries several exchanges at once; by default like any other connection. */
        default void onMultiplexed(Http2OriginConnection connection) {
            onConnected(connection);
        }

        void onConnectFailed(GatewayError error);
    }

    /**
     * Opens a connection.
     *
     * @param timeout longest wait, in nanoseconds; includes the TLS handshake
     * @param owner is notified when the established connection closes
     */
    void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome);
}
