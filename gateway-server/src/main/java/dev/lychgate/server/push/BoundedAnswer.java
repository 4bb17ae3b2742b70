package dev.lychgate.server.push;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes the head of an answer and lets its body go by, so that the connection can be used again; of a body without end
 * no more than a bound. Nothing of it is kept.
 */
final class BoundedAnswer extends BoundedBody<Boolean> implements HttpResponse.BodyHandler<Boolean> {
    private static final long MOST_BYTES = 64 << 10;

    private volatile @Nullable ResponseInfo head;

    BoundedAnswer() {
        super(MOST_BYTES);
    }

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
    protected void accept(ByteBuffer part) {}

    @Override
    protected void complete(CompletableFuture<Boolean> result, boolean tooLong) {
        result.complete(!tooLong);
    }
}
