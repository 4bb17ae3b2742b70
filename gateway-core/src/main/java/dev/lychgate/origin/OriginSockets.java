package dev.lychgate.origin;

import dev.lychgate.loop.Loop;
import dev.lychgate.loop.OpenChannels;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * Creates sockets to origins. Shared by all event loops.
 *
 * <p>No {@code Bootstrap}: connections are opened on the request path, a thousand at once for a thousand clients and cold
 * pools. A bootstrap costs copies of its options, an initializer and a loop iteration for each.
 *
 * @param open registers each socket
 * @param sockets creates a channel of the gateway's transport for an address
 * @param reads determines the size of read buffers
 * @param splices whether bodies may be spliced
 */
public record OriginSockets(
        OpenChannels open, Function<InetSocketAddress, Channel> sockets, RecvByteBufAllocator reads, boolean splices) {
    private static final WriteBufferWaterMark WATERMARKS = new WriteBufferWaterMark(64 << 10, 256 << 10);

    /** Returns a new channel, neither registered nor connected. @param loop its future loop @param to its future peer */
    Channel open(Loop loop, InetSocketAddress to) {
        Channel channel = sockets.apply(to);
        ChannelConfig config = channel.config();
        config.setAllocator(loop.allocator());
        config.setRecvByteBufAllocator(reads);
        config.setWriteBufferWaterMark(WATERMARKS);
        // The connector has its own timeout, which includes resolution and needs no scheduled task.
        config.setConnectTimeoutMillis(0);
        // A failed write ends writing, not reading: the client must receive the response of an origin that responds
        // early to an upload and closes.
        config.setAutoClose(false);
        open.add(channel);
        return channel;
    }
}
