package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;

/** Opens connections to origins, on the calling event loop. This interface separates the pools from the network. */
public interface Connector {
    /** Receives the outcome of a connect: exactly one of the methods is called, once, on the event loop. */
    interface Outcome {
        void onConnected(PooledConnection connection);

        /**
         * Reports a connection that carries several exchanges at once. The default method reports it like any other
         * connection.
         */
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
