package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;

/**
 * Opens connections to origins, on the calling event loop. This interface separates the connection pools from the
 * network.
 */
public interface Connector {
    /** Receives the outcome of a connect. Exactly one of the methods is called, exactly one time, on the event loop. */
    interface Outcome {
        void onConnected(PooledConnection connection);

        /**
         * Reports a connection that carries several exchanges at the same time. The default implementation calls {@link
         * #onConnected}.
         */
        default void onMultiplexed(Http2OriginConnection connection) {
            onConnected(connection);
        }

        void onConnectFailed(GatewayError error);
    }

    /**
     * Opens a connection.
     *
     * @param timeout the maximum time for the connect including the TLS handshake, in nanoseconds
     * @param owner is notified when the established connection closes
     */
    void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome);
}
