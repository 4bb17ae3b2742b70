package dev.lychgate.listener;

import dev.lychgate.http2.Preface;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes HTTP/2 from HTTP/1.1 by the first bytes of a connection without TLS, because HTTP/2 clients with prior
 * knowledge begin with the preface. After the decision, the handler leaves the pipeline.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-3.3">RFC 9113, 3.3 Starting HTTP/2 with Prior Knowledge</a>
 */
final class PrefaceSniffer extends ChannelInboundHandlerAdapter {
    private final Runnable onBegun;
    private final Runnable onHttp2;
    private @Nullable ByteBuf begun;

    /**
     * Creates a handler for a new connection.
     *
     * @param onBegun runs if more bytes are needed to decide
     * @param onHttp2 replaces the HTTP/1.1 handlers in the pipeline with handlers for HTTP/2
     */
    PrefaceSniffer(Runnable onBegun, Runnable onHttp2) {
        this.onBegun = onBegun;
        this.onHttp2 = onHttp2;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        ByteBuf before = begun;
        if (before != null) {
            begun = null;
            in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), before, in);
        }
        if (!Preface.mayBegin(in)) {
            pass(ctx, in);
        } else if (in.readableBytes() >= Preface.length()) {
            onHttp2.run();
            pass(ctx, in);
        } else {
            // The bytes are copied, because the read buffer is a hundred times as large, and the rest of the preface
            // may never arrive.
            begun = Unpooled.copiedBuffer(in);
            in.release();
            onBegun.run();
        }
    }

    private void pass(ChannelHandlerContext ctx, ByteBuf in) {
        ctx.fireChannelRead(in);
        ctx.pipeline().remove(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        ByteBuf before = begun;
        if (before != null) {
            begun = null;
            before.release();
        }
    }
}
