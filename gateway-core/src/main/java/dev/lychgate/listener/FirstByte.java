package dev.lychgate.listener;

import dev.lychgate.codec.MessageWriter;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.ErrorResponses;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.tls.TlsChannels;
import dev.lychgate.tls.TlsFault;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Checks the first byte of a TLS connection. If the byte begins a handshake, the next handler receives all bytes. A
 * client that sends plain HTTP receives a plain HTTP response. In all other cases the connection is closed.
 */
final class FirstByte extends ChannelInboundHandlerAdapter {
    private static final int HANDSHAKE = 0x16;
    /**
     * Time for which a client may continue to send after its response. After this time, the connection is closed
     * immediately.
     */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(2);

    private final TlsStart start;
    /** Null until the response is written. */
    private @Nullable Deadline farewell;

    FirstByte(TlsStart start) {
        this.start = start;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (farewell != null || !(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
            ReferenceCountUtil.release(message);
            return;
        }
        int first = bytes.getUnsignedByte(bytes.readerIndex());
        if (first == HANDSHAKE) {
            ctx.pipeline().remove(this);
            ctx.fireChannelRead(message);
            return;
        }
        bytes.release();
        if (first >= 'A' && first <= 'Z') {
            answer(ctx);
        } else {
            start.count(TlsFault.GARBAGE, null);
            ctx.close();
        }
    }

    private void answer(ChannelHandlerContext ctx) {
        Deadline limit = Deadline.of(ctx.channel()::close);
        farewell = limit;
        start.count(TlsFault.PLAINTEXT, null);
        GatewayError error =
                GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "plain HTTP was sent to an HTTPS port");
        ByteBuf body = ErrorResponses.body(error, "-");
        ResponseHead head = ErrorResponses.head(error, body.readableBytes());
        MessageWriter writer = new MessageWriter(ctx);
        writer.response(head, BodyFraming.LENGTH, HttpHeaderValues.CLOSE);
        writer.body(body);
        writer.end(EmptyHttpHeaders.INSTANCE);
        writer.flush();
        start.loop.deadlines().arm(limit, LINGER);
        // The client may still be sending, and an immediate close could then cause a reset that discards the response.
        TlsChannels.shutdownOutput(ctx.channel(), () -> {});
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (farewell != null) {
            start.loop.deadlines().remove(farewell);
        }
        ctx.fireChannelInactive();
    }
}
