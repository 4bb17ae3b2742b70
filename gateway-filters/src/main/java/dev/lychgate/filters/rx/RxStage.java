package dev.lychgate.filters.rx;

import dev.lychgate.filter.FilterOutcome;
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
 */
final class RxStage extends CompletableFuture<FilterOutcome>
        implements SingleObserver<FilterOutcome>, MaybeObserver<FilterOutcome>, CompletableObserver {
    static {
        UndeliverableErrors.log();
    }

    private volatile @Nullable Disposable subscription;

    /** What becomes of a filter that has no source to subscribe to. */
    static CompletionStage<FilterOutcome> ofNothing() {
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
    public void onSuccess(FilterOutcome outcome) {
        complete(outcome);
    }

    @Override
    public void onComplete() {
        complete(FilterOutcome.proceed());
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
