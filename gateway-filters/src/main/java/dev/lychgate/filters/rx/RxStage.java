package dev.lychgate.filters.rx;

import dev.lychgate.filter.FilterOutcome;
import io.reactivex.rxjava3.core.MaybeObserver;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscription to a source, and the stage for which the gateway waits, in one object. Events after a cancellation
 * are dropped. The source may emit on any thread.
 *
 * @param <T> the type of the source's items
 */
final class RxStage<T> extends CompletableFuture<T> implements MaybeObserver<T> {
    private static final Logger LOG = LoggerFactory.getLogger(RxStage.class);

    static {
        // A source may signal an error after the end of its subscription, for example because a call was interrupted.
        // Without a handler, RxJava passes the error to the thread's handler of uncaught exceptions, which may end the
        // thread or the process.
        if (RxJavaPlugins.getErrorHandler() == null && !RxJavaPlugins.isLockdown()) {
            RxJavaPlugins.setErrorHandler(
                    e -> LOG.warn("an RxJava source failed after its filter was abandoned; the failure is ignored", e));
        }
    }

    private final T ifEmpty;
    private volatile @Nullable Disposable subscription;

    /**
     * Creates a stage that has no subscription yet.
     *
     * @param ifEmpty the result of the stage if the source completes without an item
     */
    RxStage(T ifEmpty) {
        this.ifEmpty = ifEmpty;
    }

    /** Subscribes to the source that a filter has returned. If the filter has returned null, returns a failed stage. */
    static CompletionStage<FilterOutcome> of(@Nullable Object source) {
        CompletionStage<FilterOutcome> stage =
                source == null ? null : RxSources.subscribe(source, FilterOutcome.proceed());
        return stage == null ? failedFuture(new NullPointerException("the filter returned null")) : stage;
    }

    @Override
    public void onSubscribe(Disposable given) {
        subscription = given;
        if (isCancelled()) {
            // The stage was cancelled before the subscription existed.
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

    /** Returns a plain future for a derived stage, because a derived stage has no source. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
