package dev.lychgate.listener;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/** The operations of a connection that its listener uses, for any protocol. Called on the connection's event loop. */
interface ClientConnection {
    AttributeKey<ClientConnection> KEY = AttributeKey.valueOf(ClientConnection.class, "connection");

    /**
     * Starts draining: completes the current requests and then closes the connection. An idle connection stays open for
     * a short time, because a request of the client may already be on its way.
     */
    void drain();

    /**
     * Handles changed settings of the listener. A connection that was accepted with the settings {@code before} must end
     * without the loss of a request. An HTTP/1.1 connection announces its end in its next response, so only other
     * connections override this method.
     */
    default void retire(ListenerContext before) {}

    /** Closes the connection because the gateway stops. Sends an error response if no response has begun. */
    void cut();

    /** Registers {@code connection} as the handler of {@code channel}. */
    static void put(Channel channel, ClientConnection connection) {
        channel.attr(KEY).set(connection);
    }

    static @Nullable ClientConnection of(Channel channel) {
        return channel.attr(KEY).get();
    }
}
