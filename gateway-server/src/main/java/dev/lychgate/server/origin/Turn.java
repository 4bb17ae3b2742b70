package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/**
 * One request's turn on a connection, and the framing of its answer. On the connection's event loop only. What is
 * written is flushed by whoever got control from the loop.
 */
final class Turn {
    private static final int HEAD_ROOM = 256;

    final Ask ask;
    final boolean http10;
    private final ChannelHandlerContext ctx;
    private final Finished finished;
    private final boolean headOnly;
    private boolean keepAlive;
    private boolean chunked;

    /** Told when the answer is written. */
    interface Finished {
        /** @param keepAlive whether the connection may go on with the next request */
        void finished(boolean keepAlive);
    }

    /** @param finished called when the answer is written */
    Turn(ChannelHandlerContext ctx, HttpRequest request, Ask ask, Finished finished) {
        this.ctx = ctx;
        this.ask = ask;
        this.finished = finished;
        this.http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        this.headOnly = request.method().equals(HttpMethod.HEAD);
        this.keepAlive = HttpUtil.isKeepAlive(request) && !ask.close();
    }

    Channel channel() {
        return ctx.channel();
    }

    /** Whether nothing about the answer is out of the ordinary, so that a ready-made one will do. */
    boolean isPlain() {
        return !http10 && !headOnly && keepAlive && ask.status() == 200 && !ask.chunked();
    }

    /** Writes an answer that was made beforehand, head and all. */
    void ready(ByteBuf whole) {
        write(whole);
        finished.finished(keepAlive);
    }

    /** Writes a whole answer. */
    void respond(String contentType, byte[] body) {
        ByteBuf out = head(contentType, body.length);
        boolean oneWrite = !chunked && !isBodiless();
        if (oneWrite) {
            out.writeBytes(body);
        }
        write(out);
        if (!oneWrite && body.length > 0) {
            body(ctx.alloc().buffer(body.length).writeBytes(body));
        }
        finish();
    }

    /** Writes a head. @param length of the body; -1 = not known */
    void begin(String contentType, long length) {
        write(head(contentType, length));
    }

    /** Writes a part of the body, framed as the head said; takes it over. */
    void body(ByteBuf part) {
        if (isBodiless() || !part.isReadable()) {
            part.release();
            return;
        }
        if (chunked) {
            ByteBuf size = ctx.alloc().buffer(16);
            ByteBufUtil.writeAscii(size, Integer.toHexString(part.readableBytes()) + "\r\n");
            write(size);
            write(part);
            write(ascii("\r\n"));
        } else {
            write(part);
        }
    }

    /** The body is written; nothing of it is sent with HEAD, 204 and 304. */
    void finish() {
        if (chunked && !isBodiless()) {
            write(ascii("0\r\n\r\n"));
        }
        if (!keepAlive) {
            ctx.writeAndFlush(ctx.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
        }
        finished.finished(keepAlive);
    }

    void goOnIfAsked(HttpRequest request) {
        if (HttpUtil.is100ContinueExpected(request)) {
            write(ascii("HTTP/1.1 100 Continue\r\n\r\n"));
            ctx.flush();
        }
    }

    boolean isBodiless() {
        return headOnly || ask.status() == 204 || ask.status() == 304;
    }

    private ByteBuf head(String contentType, long length) {
        HttpResponseStatus status = HttpResponseStatus.valueOf(ask.status());
        ByteBuf out = ctx.alloc().buffer(HEAD_ROOM + (int) Math.min(Math.max(length, 0), 4096));
        chunked = (ask.chunked() || length < 0) && !http10;
        if (http10 && (ask.chunked() || length < 0)) {
            keepAlive = false; // only the end of the connection ends such a body
        }
        ByteBufUtil.writeAscii(out, "HTTP/1.1 " + status.code() + ' ' + status.reasonPhrase() + "\r\n");
        if (ask.status() != 204) {
            if (chunked) {
                ByteBufUtil.writeAscii(out, "transfer-encoding: chunked\r\n");
            } else if (length >= 0 && !(http10 && ask.chunked())) {
                ByteBufUtil.writeAscii(out, "content-length: " + length + "\r\n");
            }
            ByteBufUtil.writeAscii(out, "content-type: " + contentType + "\r\n");
        }
        if (!keepAlive) {
            ByteBufUtil.writeAscii(out, "connection: close\r\n");
        } else if (http10) {
            ByteBufUtil.writeAscii(out, "connection: keep-alive\r\n");
        }
        ByteBufUtil.writeAscii(out, "\r\n");
        return out;
    }

    /** A write that fails reaches the handler as an exception of the channel, which closes it. */
    private void write(ByteBuf bytes) {
        var unused = ctx.write(bytes, ctx.voidPromise());
    }

    private ByteBuf ascii(String text) {
        return ByteBufUtil.writeAscii(ctx.alloc(), text);
    }
}
