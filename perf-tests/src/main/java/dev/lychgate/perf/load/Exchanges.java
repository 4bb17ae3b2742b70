package dev.lychgate.perf.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection: one exchange after the other. Responses must have a length. */
final class Exchanges extends ByteToMessageDecoder {
    private static final byte LINE_FEED = '\n';
    private static final String LENGTH = "content-length:";
    private static final String CLOSE = "connection: close";
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

    /**
     * Reads a head. The fields are not parsed, because the generator shares its CPU with other processes.
     *
     * @return whether the head was complete
     */
    private boolean readHead(ByteBuf in) {
        int begin = in.readerIndex();
        int line = begin;
        last = false;
        while (true) {
            int lineFeed = in.indexOf(line, in.writerIndex(), LINE_FEED);
            if (lineFeed < 0) {
                bodyLeft = NONE;
                return false;
            }
            if (lineFeed - line <= 1) {
                break;
            }
            if (starts(in, line, LENGTH)) {
                bodyLeft = number(in, line + LENGTH.length(), lineFeed);
            } else if (starts(in, line, CLOSE)) {
                last = true;
            }
            line = lineFeed + 1;
        }
        if (bodyLeft == NONE) {
            throw new IllegalStateException(
                    "a response without a length: " + in.toString(begin, line - begin, StandardCharsets.ISO_8859_1));
        }
        good = starts(in, begin + "HTTP/1.1".length(), " 200");
        in.readerIndex(line + "\r\n".length());
        return true;
    }

    private static boolean starts(ByteBuf in, int from, String lowerCase) {
        if (in.writerIndex() - from < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            byte octet = in.getByte(from + i);
            int lower = octet >= 'A' && octet <= 'Z' ? octet + ('a' - 'A') : octet;
            if (lower != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static long number(ByteBuf in, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            byte octet = in.getByte(i);
            if (octet >= '0' && octet <= '9') {
                number = number * 10 + octet - '0';
            }
        }
        return number;
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
        // A connection that the peer is about to close gets no further request.
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
