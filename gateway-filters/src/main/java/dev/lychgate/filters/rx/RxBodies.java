package dev.lychgate.filters.rx;

import dev.lychgate.filter.FilterResponse;
import io.reactivex.rxjava3.core.Flowable;
import java.util.function.Function;
import org.reactivestreams.FlowAdapters;
import org.reactivestreams.Publisher;

/** Bodies as streams of RxJava 3. */
public final class RxBodies {
    private RxBodies() {}

    /**
     * Sends the body that {@code operator} returns instead of the received one, see {@link FilterResponse#mapBody}. The received
     * body has one subscriber.
     */
    public static void map(FilterResponse response, Function<Flowable<byte[]>, Publisher<byte[]>> operator) {
        response.mapBody(body ->
                FlowAdapters.toFlowPublisher(operator.apply(Flowable.fromPublisher(FlowAdapters.toPublisher(body)))));
    }
}
