package dev.lychgate.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts a connection on which TLS is busy with itself: much comes, and nothing of it is for whoever is above. A client that
 * sends nothing but demands for new keys is answered each of them by the JDK's engine, however many, and whether it reads
 * the answers or not; BoringSSL's takes 32 in a row. On the connection's event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#section-4.6.3">RFC 8446, 4.6.3 Key and Initialization Vector Update</a>
 */
public final class RecordOverhead {
    private static final Logger LOG = LoggerFactory.getLogger(RecordOverhead.class);

    /** Bytes on the wire that one byte of content may cost: records with a single one are no more. */
    private static final int WORST_RATIO = 32;
    /** Bytes beyond that: several of the longest records, as one may have come in part. */
    private static final long MOST = 64 << 10;

    /** Content since it was last looked at. */
    private long content;
    /** What has come in vain. */
    private long inVain;

    private RecordOverhead() {}

    /**
     * Watches a connection from now on, at the end of its handshake; what is added to the pipeline later stands above. Nothing
     * is done where the engine has a limit of its own.
     */
    public static void limit(ChannelPipeline pipeline) {
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

    /** Between the socket and TLS. */
    private final class Below extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            int came = message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
            ctx.fireChannelRead(message);
            if (isTooMuch(came) && ctx.channel().isActive()) {
                LOG.debug(
                        "{} keeps TLS busy without saying anything",
                        ctx.channel().remoteAddress());
                TlsChannels.cut(ctx.channel());
            }
        }
    }

    /** Between TLS and what is said inside it. */
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
