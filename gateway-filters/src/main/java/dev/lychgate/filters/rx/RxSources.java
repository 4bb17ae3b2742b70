package dev.lychgate.filters.rx;

import io.reactivex.rxjava3.core.CompletableSource;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.MaybeSource;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.ObservableSource;
import io.reactivex.rxjava3.core.SingleSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/**
 * Converts sources of RxJava 3, Reactive Streams and {@link Flow} to stages. A stage completes with the first item of
 * its source, and the subscription is cancelled after this item.
 */
public final class RxSources {
    private RxSources() {}

    /** Returns whether {@code result} is a source, which does no work before a subscription. */
    public static boolean isSource(@Nullable Object result) {
        return result != null && maybe(result) != null;
    }

    /**
     * Subscribes to {@code result}, and returns a stage for its first item. Cancelling the stage disposes of the
     * subscription.
     *
     * @param ifEmpty the result of the stage if the source completes without an item
     * @return the stage; null if {@code result} is not a source
     */
    @SuppressWarnings("unchecked") // The item type of a filter's source is checked at its declaration.
    public static <T> @Nullable CompletionStage<T> subscribe(Object result, T ifEmpty) {
        Maybe<T> source = (Maybe<T>) maybe(result);
        if (source == null) {
            return null;
        }
        RxStage<T> stage = new RxStage<>(ifEmpty);
        source.subscribe(stage);
        return stage;
    }

    @SuppressWarnings("unchecked") // Every source is read as a source of objects; nothing is written to it.
    private static @Nullable Maybe<Object> maybe(Object result) {
        if (result instanceof SingleSource<?> single) {
            return Maybe.fromSingle((SingleSource<Object>) single);
        }
        if (result instanceof MaybeSource<?> maybe) {
            return Maybe.wrap((MaybeSource<Object>) maybe);
        }
        if (result instanceof CompletableSource completable) {
            return Maybe.fromCompletable(completable);
        }
        if (result instanceof ObservableSource<?> observable) {
            return Observable.wrap((ObservableSource<Object>) observable).firstElement();
        }
        if (result instanceof Publisher<?> publisher) {
            return Flowable.fromPublisher((Publisher<Object>) publisher).firstElement();
        }
        if (result instanceof Flow.Publisher<?> publisher) {
            return Flowable.fromPublisher(FlowAdapters.toPublisher((Flow.Publisher<Object>) publisher))
                    .firstElement();
        }
        return null;
    }
}
