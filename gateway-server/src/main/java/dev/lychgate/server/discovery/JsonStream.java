package dev.lychgate.server.discovery;

import dev.lychgate.server.terminal.JsonValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses the response body of a watch, which contains one JSON value on each line. The stream fails if a line is too
 * long or malformed, or if the status is not 200.
 */
final class JsonStream implements HttpResponse.BodySubscriber<Void> {
    private static final int LONGEST = 8 << 20;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Consumer<JsonValue> listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;
    private int status;

    /** @param listener called by the thread of the source */
    JsonStream(Consumer<JsonValue> listener) {
        this.listener = listener;
    }

    JsonStream status(HttpResponse.ResponseInfo head) {
        status = head.statusCode();
        return this;
    }

    @Override
    public CompletionStage<Void> getBody() {
        return ended;
    }

    @Override
    public void onSubscribe(Flow.Subscription to) {
        subscription = to;
        if (status == 200) {
            to.request(1);
        } else {
            fail(new SourceException(status, "status " + status));
        }
    }

    private void fail(SourceException reason) {
        if (subscription != null) {
            subscription.cancel();
        }
        ended.completeExceptionally(reason);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (ended.isDone()) {
            return;
        }
        try {
            for (ByteBuffer buffer : buffers) {
                while (buffer.hasRemaining()) {
                    accept(buffer.get());
                }
            }
            if (subscription != null) {
                subscription.request(1);
            }
        } catch (SourceException e) {
            fail(e);
        }
    }

    private void accept(byte next) throws SourceException {
        if (next != '\n') {
            if (line.size() == LONGEST) {
                throw new SourceException(0, "a line of the watch is larger than 8 MiB");
            }
            line.write(next);
            return;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (!text.isBlank()) {
            try {
                listener.accept(JsonValue.of(text));
            } catch (IOException e) {
                throw new SourceException(0, "a line of the watch is not JSON", e);
            }
        }
    }

    @Override
    public void onError(Throwable cause) {
        ended.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        ended.complete(null);
    }
}
