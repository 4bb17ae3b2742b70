package dev.lychgate.filters.rx;

import dev.lychgate.filter.FilterMessage;
import io.reactivex.rxjava3.core.Flowable;
import java.util.function.Function;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/** Exposes bodies as streams of RxJava 3. */
public final class RxBodies {
    private RxBodies() {}

    /**
     * Sends the body that {@code operator} returns instead of the received one, see {@link FilterMessage#mapBody}. The
     * received body accepts only one subscriber.
     */
    public static void map(FilterMessage message, Function<Flowable<byte[]>, Publisher<byte[]>> operator) {
        message.mapBody(body ->
                FlowAdapters.toFlowPublisher(operator.apply(Flowable.fromPublisher(FlowAdapters.toPublisher(body)))));
    }
}
