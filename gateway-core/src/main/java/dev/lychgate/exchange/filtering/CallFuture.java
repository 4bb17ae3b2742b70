package dev.lychgate.exchange.filtering;

import dev.lychgate.loop.Loop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call-out, and the stages that depend on it. The event loop of the exchange completes them, unless a
 * filter completes or cancels them first. A filter that waited for them on this event loop would block the loop
 * forever, so such a wait throws an exception.
 */
public final class CallFuture<T> extends CompletableFuture<T> {
    private final Loop loop;
    /** Runs when the future is complete; null if there is no such action. */
    private volatile @Nullable Runnable whenDone;

    CallFuture(Loop loop) {
        this.loop = loop;
    }

    /**
     * Sets the action that runs when the future is completed or cancelled. The action runs on the thread that completes
     * or cancels the future. If the future is already complete, the action runs now, on the calling thread. Costs less
     * than a dependent stage.
     */
    public void whenDone(Runnable action) {
        whenDone = action;
        if (isDone()) {
            action.run();
        }
    }

    private boolean done(boolean changed) {
        Runnable action = whenDone;
        if (changed && action != null) {
            action.run();
        }
        return changed;
    }

    @Override
    public boolean complete(T value) {
        return done(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return done(super.completeExceptionally(failure));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return done(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        executor.execute(() -> {
            try {
                complete(supplier.get());
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        });
        return this;
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
