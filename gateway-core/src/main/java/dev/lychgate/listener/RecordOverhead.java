package dev.lychgate.listener;

import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection with much TLS traffic but little content. The JDK's engine needs this limit, because it responds
 * to every KeyUpdate, even if the client sends many and reads no responses. BoringSSL's engine accepts at most 32
 * consecutive KeyUpdates. Used on the connection's event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#section-4.6.3">RFC 8446, 4.6.3 Key and Initialization Vector
 *     Update</a>
 */
final class RecordOverhead {
    private static final Logger LOG = LoggerFactory.getLogger(RecordOverhead.class);

    /**
     * Maximum number of wire bytes per content byte. Records with a single byte of content do not exceed this number.
     */
    private static final int WORST_RATIO = 32;
    /**
     * The number of wire bytes that is permitted in addition to {@link #WORST_RATIO} times the number of content bytes.
     * An incomplete record has wire bytes but no content bytes yet. The number covers several records of maximum size.
     */
    private static final long MOST = 64 << 10;

    /** Content bytes since the last check. */
    private long content;
    /** Accumulated number of wire bytes in excess of {@link #WORST_RATIO} times the number of content bytes. */
    private long inVain;

    private RecordOverhead() {}

    /**
     * Starts monitoring a connection at the end of its handshake. Handlers that are added to the pipeline later follow
     * the handlers of this class. Does nothing if the engine has its own limit.
     */
    static void limit(ChannelPipeline pipeline) {
        SslHandler tls = pipeline.get(SslHandler.class);
        if (tls != null && !(tls.engine() instanceof ReferenceCountedOpenSslEngine)) {
            RecordOverhead overhead = new RecordOverhead();
            pipeline.addFirst(overhead.new Below());
            pipeline.addAfter(pipeline.context(tls).name(), null, overhead.new Above());
        }
    }

    private boolean isTooMuch(long came) {
        inVain = Math.max(0, inVain + came - WORST_RATIO * content);
        content = 0;
        return inVain > MOST;
    }

    /** Between the socket and TLS: counts wire bytes. */
    private final class Below extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            int came = message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
            ctx.fireChannelRead(message);
            if (isTooMuch(came) && ctx.channel().isActive()) {
                LOG.debug(
                        "client {} sends TLS records without content; the connection is closed",
                        ctx.channel().remoteAddress());
                TlsChannels.cut(ctx.channel());
            }
        }
    }

    /** Between TLS and the application protocol: counts content bytes. */
    private final class Above extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof ByteBuf bytes) {
                content += bytes.readableBytes();
            }
            ctx.fireChannelRead(message);
        }
    }
}
