package dev.lychgate.dns;

import static java.util.Objects.requireNonNull;

import dev.lychgate.loop.QuietPeriod;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.dns.DatagramDnsResponseDecoder;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops datagrams that are no DNS messages from the socket of a query. The socket accepts datagrams from any sender, and
 * Netty's resolver logs a stack trace for each one that it cannot decode. The query goes on waiting for its response. On the
 * event loop of the channel.
 */
final class UndecodableDatagrams extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(UndecodableDatagrams.class);

    private final QuietPeriod quiet;
    private @Nullable InetSocketAddress sender;

    private UndecodableDatagrams(QuietPeriod quiet) {
        this.quiet = quiet;
    }

    /**
     * Returns a factory of channels that drop such datagrams.
     *
     * @param quiet limits the log lines of all of them
     */
    static ChannelFactory<DatagramChannel> dropped(Class<? extends DatagramChannel> type, QuietPeriod quiet) {
        ChannelFactory<? extends DatagramChannel> channels = new ReflectiveChannelFactory<>(type);
        return () -> {
            DatagramChannel channel = channels.newChannel();
            channel.pipeline().addLast(new UndecodableDatagrams(quiet));
            return channel;
        };
    }

    @Override
    public void channelRegistered(ChannelHandlerContext ctx) {
        // The resolver has added its decoder by now, and behind it the handler that would log.
        ChannelHandlerContext decoder = requireNonNull(ctx.pipeline().context(DatagramDnsResponseDecoder.class));
        ctx.pipeline().addAfter(decoder.name(), null, new Failures());
        ctx.fireChannelRegistered();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof DatagramPacket datagram) {
            sender = datagram.sender();
        }
        ctx.fireChannelRead(message);
    }

    /** Stands behind the decoder, whose exceptions end here. */
    private final class Failures extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (!(cause instanceof DecoderException)) {
                ctx.fireExceptionCaught(cause);
                return;
            }
            String more = quiet.tell(System.nanoTime());
            if (more != null) {
                LOG.warn("undecodable DNS datagram dropped, sender={}: {}{}", sender, cause.getMessage(), more);
            }
        }
    }
}
