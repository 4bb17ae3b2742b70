package dev.lychgate.server.etcd;

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

/** The endless body of a watch: one JSON value on each line. A line that is too long or malformed ends the stream. */
final class JsonLines implements HttpResponse.BodySubscriber<Void> {
    private static final int LONGEST = 4 << 20;

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Consumer<JsonValue> listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;
    private int status;

    /** @param listener receives each value, on the thread of the HTTP client */
    JsonLines(Consumer<JsonValue> listener) {
        this.listener = listener;
    }

    JsonLines status(HttpResponse.ResponseInfo head) {
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
        to.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        try {
            for (ByteBuffer buffer : buffers) {
                while (buffer.hasRemaining()) {
                    accept(buffer.get());
                }
            }
            if (subscription != null) {
                subscription.request(1);
            }
        } catch (EtcdException e) {
            if (subscription != null) {
                subscription.cancel();
            }
            ended.completeExceptionally(e);
        }
    }

    private void accept(byte next) throws EtcdException {
        if (next != '\n') {
            if (line.size() == LONGEST) {
                throw new EtcdException(EtcdException.Kind.UNREADABLE, "a line of the watch is larger than 4 MiB");
            }
            line.write(next);
            return;
        }
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (!text.isBlank()) {
            accept(text);
        }
    }

    private void accept(String text) throws EtcdException {
        try {
            JsonValue json = JsonValue.of(text);
            if (status != 200 || json.has("error")) {
                JsonValue error = json.get("error");
                String reason = error.text("message").isEmpty() ? json.text("error") : error.text("message");
                throw EtcdException.of(status == 200 ? 500 : status, reason);
            }
            listener.accept(json);
        } catch (IOException e) {
            throw new EtcdException(EtcdException.Kind.UNREADABLE, "a line of the watch is not JSON", e);
        }
    }

    @Override
    public void onError(Throwable cause) {
        ended.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        try {
            if (line.size() > 0) {
                accept(line.toString(StandardCharsets.UTF_8));
            }
            ended.complete(null);
        } catch (EtcdException e) {
            ended.completeExceptionally(e);
        }
    }
}
