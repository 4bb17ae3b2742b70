package dev.lychgate.server.origin;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request and its response, chosen by path and {@link ResponseOptions}. On the connection's event loop only. */
final class OriginExchange {
    private static final String BYTES = "application/octet-stream";
    private static final int EVENT_INTERVAL_MILLIS = 200;

    private final OriginHandler connection;
    private final OriginState origin;
    private final OriginResponse response;
    private final HttpRequest request;
    private final ResponseOptions options;
    private final @Nullable MessageDigest digest;
    private long received;

    OriginExchange(OriginHandler connection, OriginState origin, OriginResponse response, HttpRequest request) {
        this.connection = connection;
        this.origin = origin;
        this.response = response;
        this.request = request;
        this.options = response.options();
        this.digest = options.path().equals("/upload") ? DemoContent.newSha256() : null;
    }

    /** The delay has passed: the request's body is read from now on. */
    void begin() {
        if (HttpUtil.is100ContinueExpected(request)) {
            response.goOn();
        }
        if (options.echo()) {
            String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, BYTES);
            long unknown = HttpUtil.isTransferEncodingChunked(request) ? -1 : 0;
            response.begin(type, HttpUtil.getContentLength(request, unknown));
        }
    }

    /** Takes a part of the request's body; the caller releases it. */
    void onBody(ByteBuf part) {
        received += part.readableBytes();
        if (options.echo()) {
            response.body(part.retain());
        } else if (digest != null) {
            digest.update(part.nioBuffer());
        }
    }

    /** The request is read whole. */
    void onEnd() {
        if (!options.path().equals("/count")) {
            origin.requests().increment();
        }
        if (options.echo()) {
            response.finish();
        } else if (options.length() >= 0) {
            download();
        } else {
            respond();
        }
    }

    private void respond() {
        switch (options.path()) {
            case "/headers" -> response.json(this::headers);
            case "/upload" -> response.json(this::upload);
            case "/events" -> events();
            case "/ws" -> {
                if (!WebSocketEcho.open(response.channel().pipeline(), request)) {
                    response.text("a WebSocket stands here");
                }
            }
            case "/count" ->
                response.json(json ->
                        json.writeNumberField("requests", origin.requests().sum()));
            default -> {
                if (options.status() == 200) {
                    response.json(this::hello);
                } else {
                    response.text("status " + options.status());
                }
            }
        }
    }

    /** Sends any length from blocks that are never copied. What follows is written when the blocks before it have left. */
    private void download() {
        ByteBuf first = DemoContent.from(0, options.length());
        if (first.readableBytes() == options.length() || response.isBodiless()) {
            response.whole(BYTES, first, options.length());
            return;
        }
        connection.pause();
        response.begin(BYTES, options.length());
        sendFrom(0);
    }

    private void sendFrom(long offset) {
        ByteBuf blocks = DemoContent.from(offset, options.length() - offset);
        long next = offset + blocks.readableBytes();
        response.bodyAndFlush(blocks).addListener(written -> {
            if (!written.isSuccess()) {
                return; // the connection is closed
            }
            if (next == options.length()) {
                finish();
            } else {
                sendFrom(next);
            }
        });
    }

    /** Sends a line each 200 ms: a slow stream that nothing on its way may hold back. */
    private void events() {
        connection.pause();
        response.begin("text/event-stream", -1);
        if (options.count() == 0 || response.isBodiless()) {
            finish();
        } else {
            sendEvent(1);
        }
    }

    private void sendEvent(int number) {
        response.body(response.ascii("data: event " + number + " of " + options.count() + "\n\n"));
        if (number == options.count()) {
            finish();
        } else {
            connection.schedule(EVENT_INTERVAL_MILLIS, () -> sendEvent(number + 1));
        }
    }

    private void finish() {
        response.finish();
        response.flush();
        if (response.keepsAlive()) {
            connection.resume();
        }
    }

    /** Returns whether the connection is able to serve another request; known once the head of the response is written. */
    boolean keepsAlive() {
        return response.keepsAlive();
    }

    private void hello(JsonGenerator json) throws IOException {
        json.writeStringField("hello", "from Lychgate's demo origin");
        json.writeStringField("instance", origin.name());
        json.writeNumberField("requests", origin.requests().sum());
    }

    private void upload(JsonGenerator json) throws IOException {
        json.writeNumberField("bytes", received);
        json.writeStringField(
                "sha256", HexFormat.of().formatHex(requireNonNull(digest).digest()));
    }

    private void headers(JsonGenerator json) throws IOException {
        json.writeStringField("method", request.method().name());
        json.writeStringField("target", request.uri());
        json.writeStringField("version", request.protocolVersion().text());
        json.writeArrayFieldStart("headers");
        for (Map.Entry<String, String> field : request.headers()) {
            json.writeStartObject();
            json.writeStringField("name", field.getKey());
            json.writeStringField("value", field.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
