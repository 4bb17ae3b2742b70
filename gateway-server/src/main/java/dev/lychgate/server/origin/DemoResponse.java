package dev.lychgate.server.origin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/**
 * The response to one request. It determines the framing, and whether the connection persists. {@code HttpServerCodec}
 * omits the body in a response to HEAD, and for a status without a body. Used only on the event loop of the connection.
 * Writes are not flushed, unless a method states so.
 */
final class DemoResponse {
    private final ChannelHandlerContext ctx;
    private final ResponseOptions options;
    private final boolean http10;
    private final boolean headOnly;
    private boolean keepAlive;

    DemoResponse(ChannelHandlerContext ctx, HttpRequest request, ResponseOptions options) {
        this.ctx = ctx;
        this.options = options;
        this.http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        this.headOnly = request.method().equals(HttpMethod.HEAD);
        this.keepAlive = HttpUtil.isKeepAlive(request) && !options.close();
    }

    ResponseOptions options() {
        return options;
    }

    Channel channel() {
        return ctx.channel();
    }

    /** Returns whether the response has no body bytes. */
    boolean isBodiless() {
        return headOnly || options.status() == 204 || options.status() == 304;
    }

    /** Returns whether the connection persists after this response. The result is valid after the head is written. */
    boolean keepsAlive() {
        return keepAlive;
    }

    void goOn() {
        ctx.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    }

    /** Writes a complete response with a line of text. */
    void text(String line) {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        whole("text/plain; charset=utf-8", Unpooled.wrappedBuffer(bytes), bytes.length);
    }

    /** Writes a complete response with one JSON object. */
    void json(JsonObject object) {
        byte[] bytes = JsonText.bytes(object);
        whole("application/json", Unpooled.wrappedBuffer(bytes), bytes.length);
    }

    /**
     * Writes a complete response and releases {@code body}.
     *
     * @param length the length for the response head; may exceed the length of {@code body} if the response is bodiless
     */
    void whole(String contentType, ByteBuf body, long length) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status(), body);
        frame(response, contentType, length);
        end(ctx.write(response));
    }

    /**
     * Writes a head.
     *
     * @param length the length of the body; -1 if unknown
     */
    void begin(String contentType, long length) {
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status());
        frame(response, contentType, length);
        ctx.write(response);
    }

    /** Writes a chunk of the body and releases the chunk. */
    void body(ByteBuf part) {
        ctx.write(new DefaultHttpContent(part));
    }

    /**
     * Writes and flushes a chunk of the body, and releases the chunk.
     *
     * @return completes when the socket has accepted the chunk
     */
    ChannelFuture bodyAndFlush(ByteBuf part) {
        return ctx.writeAndFlush(new DefaultHttpContent(part));
    }

    void finish() {
        end(ctx.write(LastHttpContent.EMPTY_LAST_CONTENT));
    }

    ByteBuf ascii(String text) {
        return ByteBufUtil.writeAscii(ctx.alloc(), text);
    }

    void flush() {
        ctx.flush();
    }

    private void end(ChannelFuture written) {
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private HttpResponseStatus status() {
        return HttpResponseStatus.valueOf(options.status());
    }

    private void frame(HttpResponse response, String contentType, long length) {
        if (length >= 0 && !options.chunked()) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
        } else if (http10) {
            keepAlive = false; // without a length, only the end of the connection ends the body
        } else {
            HttpUtil.setTransferEncodingChunked(response, true);
        }
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (http10) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }
}
