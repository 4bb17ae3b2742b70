package dev.lychgate.filters.rx;

import io.reactivex.rxjava3.core.CompletableObserver;
import io.reactivex.rxjava3.core.MaybeObserver;
import io.reactivex.rxjava3.core.SingleObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The subscription to a source, as the stage the gateway waits for: one object for both. What comes after it was
 * cancelled goes nowhere. Observed from whatever thread.
 *
 * @param <T> what the source emits
 */
final class RxStage<T> extends CompletableFuture<T>
        implements SingleObserver<T>, MaybeObserver<T>, CompletableObserver {
    static {
        UndeliverableErrors.log();
    }

    private final T ifEmpty;
    private volatile @Nullable Disposable subscription;

    /** @param ifEmpty what the stage completes with if the source completes and has emitted nothing */
    RxStage(T ifEmpty) {
        this.ifEmpty = ifEmpty;
    }

    /** What becomes of a filter that has no source to subscribe to. */
    static <T> CompletionStage<T> ofNothing() {
        return CompletableFuture.failedFuture(new NullPointerException("the filter returned null"));
    }

    @Override
    public void onSubscribe(Disposable given) {
        subscription = given;
        if (isCancelled()) {
            // Before there was anything to dispose of.
            given.dispose();
        }
    }

    @Override
    public void onSuccess(T emitted) {
        complete(emitted);
    }

    @Override
    public void onComplete() {
        complete(ifEmpty);
    }

    @Override
    public void onError(Throwable failure) {
        completeExceptionally(failure);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        Disposable s = subscription;
        if (cancelled && s != null) {
            s.dispose();
        }
        return cancelled;
    }

    /** Stages made from this one don't subscribe to anything. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
