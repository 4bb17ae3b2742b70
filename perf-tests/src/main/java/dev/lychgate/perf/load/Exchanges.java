package dev.lychgate.perf.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One connection: one exchange after the other. Answers must say their length. */
final class Exchanges extends ByteToMessageDecoder {
    private static final ByteBuf END_OF_HEAD =
            Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("\r\n\r\n", StandardCharsets.US_ASCII));
    private static final String LENGTH = "\r\ncontent-length:";
    private static final long NONE = -1;

    private final OpenLoop load;
    private @Nullable ChannelHandlerContext context;
    private long number = NONE;
    private long bodyLeft = NONE;
    private boolean good;
    private boolean last;

    Exchanges(OpenLoop load) {
        this.load = load;
    }

    void send(long request) {
        number = request;
        bodyLeft = NONE;
        if (context != null) {
            context.writeAndFlush(load.request(), context.voidPromise());
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        load.onIdle(this);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (bodyLeft == NONE && !readHead(in)) {
            return;
        }
        int piece = (int) Math.min(bodyLeft, in.readableBytes());
        in.skipBytes(piece);
        bodyLeft -= piece;
        if (bodyLeft == 0) {
            end();
        }
    }

    private boolean readHead(ByteBuf in) {
        int length = ByteBufUtil.indexOf(END_OF_HEAD, in);
        if (length < 0) {
            return false;
        }
        String head = in.readCharSequence(length + END_OF_HEAD.readableBytes(), StandardCharsets.ISO_8859_1)
                .toString()
                .toLowerCase(Locale.ROOT);
        int at = head.indexOf(LENGTH);
        if (at < 0) {
            throw new IllegalStateException("an answer that does not say its length: " + head);
        }
        int from = at + LENGTH.length();
        bodyLeft = Long.parseLong(head.substring(from, head.indexOf('\r', from)).trim());
        last = head.contains("\r\nconnection: close");
        good = head.startsWith(" 200", "http/1.1".length());
        return true;
    }

    private void end() {
        long answered = number;
        number = NONE;
        bodyLeft = NONE;
        if (good) {
            load.onAnswer(answered);
        } else {
            load.onFailure(answered);
        }
        // A connection that the other side is about to close takes no more.
        if (last && context != null) {
            var unused = context.close();
        } else {
            load.onIdle(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        var unused = ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (number != NONE) {
            load.onFailure(number);
        }
        load.onClosed(this);
    }
}
