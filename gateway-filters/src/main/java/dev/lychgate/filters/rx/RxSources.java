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
 * Converts the sources of RxJava 3, of Reactive Streams and of {@link Flow} to stages. A source that may emit several items
 * counts by its first one; the subscription is cancelled then.
 */
public final class RxSources {
    private RxSources() {}

    /** Returns whether {@code result} does nothing until it is subscribed to, as every source here does. */
    public static boolean isSource(@Nullable Object result) {
        return result != null && maybe(result) != null;
    }

    /**
     * Subscribes to {@code result}. Cancelling the stage disposes of the subscription.
     *
     * @param ifEmpty what the stage completes with if the source completes and has emitted nothing
     * @return null if {@code result} is no source
     */
    @SuppressWarnings("unchecked") // What a filter's source emits is checked where it is declared.
    public static <T> @Nullable CompletionStage<T> subscribe(Object result, T ifEmpty) {
        Maybe<T> source = (Maybe<T>) maybe(result);
        if (source == null) {
            return null;
        }
        RxStage<T> stage = new RxStage<>(ifEmpty);
        source.subscribe(stage);
        return stage;
    }

    @SuppressWarnings("unchecked") // A source of anything is read as one of objects, and nothing is put into it.
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
