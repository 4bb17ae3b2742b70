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
 * How sockets to origins are made. Shared by all event loops.
 *
 * <p>No {@code Bootstrap}: opening a connection is on the way of a request, a thousand at once when a thousand clients
 * come to cold pools, and a bootstrap costs copies of its options, an initializer and a turn of the loop for each.
 *
 * @param open is told of each socket
 * @param sockets makes a channel of the gateway's transport for an address
 * @param reads sizes reads
 * @param splices whether bodies may be spliced that come over them
 */
public record OriginSockets(
        OpenChannels open, Function<InetSocketAddress, Channel> sockets, RecvByteBufAllocator reads, boolean splices) {
    private static final WriteBufferWaterMark WATERMARKS = new WriteBufferWaterMark(64 << 10, 256 << 10);

    /** A new channel, neither registered nor connected. @param loop where it is going to live @param to where it will lead */
    Channel open(Loop loop, InetSocketAddress to) {
        Channel channel = sockets.apply(to);
        ChannelConfig config = channel.config();
        config.setAllocator(loop.allocator());
        config.setRecvByteBufAllocator(reads);
        config.setWriteBufferWaterMark(WATERMARKS);
        // The connect timeout is ours: it covers resolution and costs no scheduled task.
        config.setConnectTimeoutMillis(0);
        // A write that fails ends writing, not reading: an origin that answers an upload early and closes has said
        // something that its client should hear.
        config.setAutoClose(false);
        open.add(channel);
        return channel;
    }
}
