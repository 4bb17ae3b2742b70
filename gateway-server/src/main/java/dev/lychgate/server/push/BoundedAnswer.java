package dev.lychgate.server.push;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Takes the head of an answer and lets its body go by, so that the connection can be used again; of a body without end
 * no more than a bound. Nothing of it is kept.
 */
final class BoundedAnswer implements HttpResponse.BodyHandler<Boolean>, HttpResponse.BodySubscriber<Boolean> {
    private static final long MOST_BYTES = 64 << 10;

    private final CompletableFuture<Boolean> read = new CompletableFuture<>();
    private volatile @Nullable ResponseInfo head;
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    /** Null as long as none has come. */
    @Nullable
    ResponseInfo head() {
        return head;
    }

    @Override
    public HttpResponse.BodySubscriber<Boolean> apply(ResponseInfo info) {
        head = info;
        return this;
    }

    @Override
    public CompletionStage<Boolean> getBody() {
        return read;
    }

    @Override
    public void onSubscribe(Flow.Subscription offered) {
        subscription = offered;
        offered.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> chunk) {
        for (ByteBuffer buffer : chunk) {
            bytes += buffer.remaining();
        }
        Flow.Subscription from = subscription;
        if (from == null) {
            return;
        }
        if (bytes > MOST_BYTES) {
            // Closes the connection.
            from.cancel();
            read.complete(false);
        } else {
            from.request(1);
        }
    }

    @Override
    public void onError(Throwable cause) {
        read.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        read.complete(true);
    }
}
