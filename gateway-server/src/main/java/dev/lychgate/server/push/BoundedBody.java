package dev.lychgate.server.push;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads the body of a response up to a bound. If the body is longer than the bound, the connection is closed. */
public abstract class BoundedBody<T> implements HttpResponse.BodySubscriber<T> {
    private final CompletableFuture<T> whole = new CompletableFuture<>();
    private final long most;
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    /** @param most maximum length of the body in bytes */
    protected BoundedBody(long most) {
        this.most = most;
    }

    protected abstract void accept(ByteBuffer part);

    /**
     * Completes the result after the end of the body, or after the bound was exceeded.
     *
     * @param tooLong whether the body is longer than the bound
     */
    protected abstract void complete(CompletableFuture<T> result, boolean tooLong);

    @Override
    public final CompletionStage<T> getBody() {
        return whole;
    }

    @Override
    public final void onSubscribe(Flow.Subscription offered) {
        subscription = offered;
        offered.request(1);
    }

    @Override
    public final void onNext(List<ByteBuffer> chunk) {
        Flow.Subscription from = subscription;
        if (from == null || whole.isDone()) {
            return;
        }
        for (ByteBuffer part : chunk) {
            bytes += part.remaining();
            if (bytes > most) {
                // The cancellation closes the connection.
                from.cancel();
                complete(whole, true);
                return;
            }
            accept(part);
        }
        from.request(1);
    }

    @Override
    public final void onError(Throwable cause) {
        whole.completeExceptionally(cause);
    }

    @Override
    public final void onComplete() {
        complete(whole, false);
    }
}
