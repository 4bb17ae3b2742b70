package dev.lychgate.server.push;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Keeps the head of a response and discards its body up to a bound, so that the connection can be reused. */
final class BoundedAnswer extends BoundedBody<Boolean> implements HttpResponse.BodyHandler<Boolean> {
    private static final long MOST_BYTES = 64 << 10;

    private volatile @Nullable ResponseInfo head;

    BoundedAnswer() {
        super(MOST_BYTES);
    }

    /** Returns the head; null until it has arrived. */
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
    protected void accept(ByteBuffer part) {}

    @Override
    protected void complete(CompletableFuture<Boolean> result, boolean tooLong) {
        result.complete(!tooLong);
    }
}
