package dev.lychgate.filters.rx;

import dev.lychgate.filter.FilterMessage;
import io.reactivex.rxjava3.core.Flowable;
import java.util.function.Function;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/** Exposes the bodies of messages as streams of RxJava 3. */
public final class RxBodies {
    private RxBodies() {}

    /**
     * Replaces the received body of a message with the body that {@code operator} returns; see {@link
     * FilterMessage#mapBody}. The received body accepts a single subscriber.
     */
    public static void map(FilterMessage message, Function<Flowable<byte[]>, Publisher<byte[]>> operator) {
        message.mapBody(body ->
                FlowAdapters.toFlowPublisher(operator.apply(Flowable.fromPublisher(FlowAdapters.toPublisher(body)))));
    }
}
