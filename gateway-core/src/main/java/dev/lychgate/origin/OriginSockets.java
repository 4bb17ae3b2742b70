package dev.lychgate.origin;

import dev.lychgate.loop.Loop;
import dev.lychgate.loop.OpenChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Creates sockets for connections to origins. All event loops share this object.
 *
 * <p>Connections are opened on the request path, up to a thousand at the same time if the pools are empty. A {@code
 * Bootstrap} would cost several allocations and a loop iteration per connection, so none is used.
 *
 * @param open registers each socket
 * @param sockets creates a channel of the gateway's transport for an address
 * @param reads determines the size of read buffers
 * @param splices returns whether bodies may be spliced
 */
public record OriginSockets(
        OpenChannels open,
        Function<InetSocketAddress, Channel> sockets,
        RecvByteBufAllocator reads,
        BooleanSupplier splices) {
    private static final WriteBufferWaterMark WATERMARKS = new WriteBufferWaterMark(64 << 10, 256 << 10);

    /** Returns a new channel for {@code loop} and the peer {@code to}, neither registered nor connected. */
    Channel open(Loop loop, InetSocketAddress to) {
        Channel channel = sockets.apply(to);
        ChannelConfig config = channel.config();
        config.setAllocator(loop.allocator());
        config.setRecvByteBufAllocator(reads);
        config.setWriteBufferWaterMark(WATERMARKS);
        // Disables Netty's connect timeout: the timeout of the connector includes resolution and needs no scheduled
        // task.
        config.setConnectTimeoutMillis(0);
        // A failed write must not end reading. If an origin responds to an upload early and closes the connection, the
        // client must receive this response.
        config.setAutoClose(false);
        open.add(channel);
        return channel;
    }
}
