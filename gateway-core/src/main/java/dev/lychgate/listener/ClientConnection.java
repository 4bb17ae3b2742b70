package dev.lychgate.listener;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * What a listener asks of each of its connections, whatever is spoken on it. Called on the connection's event loop.
 */
interface ClientConnection {
    AttributeKey<ClientConnection> KEY = AttributeKey.valueOf(ClientConnection.class, "connection");

    /**
     * Begins to end: what is under way is answered, then the connection closes. One that is idle is given a moment, for the
     * client may just be sending on it.
     */
    void drain();

    /** Ends now, because the gateway does: with an answer where none has begun. */
    void cut();

    /** Makes {@code connection} the one that {@code channel} carries from now on. */
    static void put(Channel channel, ClientConnection connection) {
        channel.attr(KEY).set(connection);
    }

    /** What {@code channel} carries. */
    static @Nullable ClientConnection of(Channel channel) {
        return channel.attr(KEY).get();
    }
}
