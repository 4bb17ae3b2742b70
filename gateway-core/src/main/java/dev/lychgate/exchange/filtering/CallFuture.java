package dev.lychgate.exchange.filtering;

import dev.lychgate.loop.Loop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The result of a call-out, and the stages that depend on it. The event loop of the exchange completes them. A filter
 * that waited for them on this event loop would block the loop forever, so such a wait throws an exception.
 */
final class CallFuture<T> extends CompletableFuture<T> {
    private final Loop loop;

    CallFuture(Loop loop) {
        this.loop = loop;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CallFuture<>(loop);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        requireResult();
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        requireResult();
        return super.get(timeout, unit);
    }

    @Override
    public T join() {
        requireResult();
        return super.join();
    }

    private void requireResult() {
        if (!isDone() && loop.inLoop()) {
            throw new IllegalStateException(
                    "the result of a call-out is missing, and this event loop cannot wait for it;"
                            + " use thenApply or thenCompose, or declare the filter by blocking { }");
        }
    }
}
