package dev.lychgate.server.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer as a text. One that is longer than any of a gateway's fails, and ends the connection. */
final class WholeText implements HttpResponse.BodySubscriber<String> {
    private static final int MOST_BYTES = 16 << 20;

    private final CompletableFuture<String> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription offered) {
        subscription = offered;
        offered.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> chunk) {
        Flow.Subscription from = subscription;
        if (from == null || whole.isDone()) {
            return;
        }
        for (ByteBuffer part : chunk) {
            if (part.remaining() > MOST_BYTES - bytes.size()) {
                from.cancel();
                whole.completeExceptionally(new IOException("an answer without end"));
                return;
            }
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        }
        from.request(1);
    }

    @Override
    public void onError(Throwable cause) {
        whole.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}
