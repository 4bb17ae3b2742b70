package dev.lychgate.dns;

import static java.util.Objects.requireNonNull;

import dev.lychgate.loop.QuietPeriod;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ReflectiveChannelFactory;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.dns.DatagramDnsResponseDecoder;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsSection;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops datagrams that are malformed or do not belong to the DNS query of the socket, because the socket accepts
 * datagrams from any sender. After a dropped datagram, the query continues to wait for its response. Without this
 * handler, Netty's resolver would log each malformed datagram with a stack trace, and each unrelated response with all
 * of its records. Used on the event loop of the channel.
 */
final class UndecodableDatagrams extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(UndecodableDatagrams.class);

    private final QuietPeriod quiet;
    private @Nullable InetSocketAddress sender;

    private UndecodableDatagrams(QuietPeriod quiet) {
        this.quiet = quiet;
    }

    /**
     * Returns a factory of channels that drop malformed and unrelated datagrams.
     *
     * @param quiet limits the log lines of all these channels
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
        // The resolver has added its decoder, followed by its logging handler.
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

    /** Runs after the decoder, consumes the exceptions of the decoder, and records the queries of the channel. */
    private final class Failures extends ChannelDuplexHandler {
        /** The questions by query id; at most as many as one lookup may send. */
        private final Map<Integer, DnsRecord> questions = new HashMap<>();

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            if (message instanceof DnsQuery query) {
                questions.put(query.id(), query.recordAt(DnsSection.QUESTION));
            }
            ctx.write(message, promise);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof DnsResponse response && !answersQuestion(response)) {
                response.release();
                drop("the question does not match the query");
                return;
            }
            ctx.fireChannelRead(message);
        }

        /**
         * Returns whether {@code response} matches a query of this channel. Netty's resolver would log a response
         * without a matching query, with all of its records.
         */
        private boolean answersQuestion(DnsResponse response) {
            DnsRecord asked = questions.get(response.id());
            return asked != null
                    && response.count(DnsSection.QUESTION) == 1
                    && asked.equals(response.recordAt(DnsSection.QUESTION));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (cause instanceof DecoderException) {
                drop(cause.getMessage());
            } else {
                ctx.fireExceptionCaught(cause);
            }
        }

        private void drop(@Nullable String why) {
            String more = quiet.tell(System.nanoTime());
            if (more != null) {
                LOG.warn("unusable DNS datagram dropped, sender={}: {}{}", sender, why, more);
            }
        }
    }
}
