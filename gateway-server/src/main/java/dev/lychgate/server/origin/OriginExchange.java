package dev.lychgate.server.origin;

import static java.util.Objects.requireNonNull;

import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.server.json.JsonObject;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. The path and {@link ResponseOptions} determine the response. Used only on the event
 * loop of the connection.
 */
final class OriginExchange {
    private static final String BYTES = "application/octet-stream";
    private static final int EVENT_INTERVAL_MILLIS = 200;

    private final OriginHandler connection;
    private final DemoOrigin.State origin;
    private final DemoResponse response;
    private final HttpRequest request;
    private final ResponseOptions options;
    private final @Nullable MessageDigest digest;
    private long received;

    OriginExchange(OriginHandler connection, DemoOrigin.State origin, DemoResponse response, HttpRequest request) {
        this.connection = connection;
        this.origin = origin;
        this.response = response;
        this.request = request;
        this.options = response.options();
        this.digest = options.path().equals("/upload") ? Sha256.start() : null;
    }

    /** Begins to read the request body. Called when the delay has ended. */
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

    /** Accepts a chunk of the request body. The caller must release the chunk. */
    void onBody(ByteBuf part) {
        received += part.readableBytes();
        if (options.echo()) {
            response.body(part.retain());
        } else if (digest != null) {
            digest.update(part.nioBuffer());
        }
    }

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
            case "/headers" -> response.json(headers());
            case "/upload" -> response.json(upload());
            case "/events" -> events();
            case "/ws" -> {
                if (!WebSocketEcho.open(response.channel().pipeline(), request)) {
                    response.text("this resource is a WebSocket");
                }
            }
            case "/count" ->
                response.json(
                        new JsonObject().with("requests", origin.requests().sum()));
            default -> {
                if (options.status() == 200) {
                    response.json(hello());
                } else {
                    response.text("status " + options.status());
                }
            }
        }
    }

    /**
     * Sends a body of any length from blocks, which are never copied. Further blocks are written after the previous
     * blocks have been flushed.
     */
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

    /** Sends a line every 200 ms. Such a slow stream shows whether a proxy buffers it. */
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

    /**
     * Returns whether the connection can serve another request. The result is valid after the response head is written.
     */
    boolean keepsAlive() {
        return response.keepsAlive();
    }

    private JsonObject hello() {
        return new JsonObject()
                .with("hello", "from Lychgate's demo origin")
                .with("instance", origin.name())
                .with("requests", origin.requests().sum());
    }

    private JsonObject upload() {
        return new JsonObject()
                .with("bytes", received)
                .with("sha256", HexFormat.of().formatHex(requireNonNull(digest).digest()));
    }

    private JsonObject headers() {
        return new JsonObject()
                .with("method", request.method().name())
                .with("target", request.uri())
                .with("version", request.protocolVersion().text())
                .with(
                        "headers",
                        request.headers().entries().stream()
                                .map(field -> new JsonObject()
                                        .with("name", field.getKey())
                                        .with("value", field.getValue()))
                                .toList());
    }
}
