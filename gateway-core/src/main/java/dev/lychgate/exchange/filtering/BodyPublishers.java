package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The chain of publishers that filters have added to a body. Determines the filter to which a failure belongs. */
final class BodyPublishers {
    private static final int DEEPEST_CAUSE = 100;

    private Flow.Publisher<byte[]> output;
    private @Nullable FilterSlot last;
    /**
     * The failure of a publisher that is not the last one; null if no such publisher has failed. Any thread may set it.
     */
    private volatile TransformChain.@Nullable Failure earlier;

    BodyPublishers(Flow.Publisher<byte[]> input) {
        this.output = input;
    }

    /**
     * Adds a publisher after the existing publishers.
     *
     * @param by the filter that adds the publisher
     */
    void map(UnaryOperator<Flow.Publisher<byte[]>> operator, FilterSlot by) {
        FilterSlot before = last;
        Flow.Publisher<byte[]> received = before == null ? output : new Boundary(output, before);
        output = Objects.requireNonNull(operator.apply(received), "the operator of mapBody returned null");
        last = by;
    }

    Flow.Publisher<byte[]> output() {
        return output;
    }

    /**
     * Returns a failure together with the filter that caused it.
     *
     * @param of the filter at fault, unless an earlier publisher has failed
     */
    TransformChain.Failure failure(Throwable cause, FilterSlot of) {
        TransformChain.Failure failed = earlier;
        return failed != null && isCausedBy(cause, failed.cause())
                ? new TransformChain.Failure(cause, failed.of())
                : new TransformChain.Failure(cause, of);
    }

    private static boolean isCausedBy(Throwable failure, Throwable cause) {
        Throwable each = failure;
        for (int i = 0; i < DEEPEST_CAUSE && each != null && each != cause; i++) {
            each = each.getCause();
        }
        return each == cause;
    }

    /** Passes the signals of one filter's publisher to the next filter, and records a failure of this publisher. */
    private final class Boundary implements Flow.Publisher<byte[]> {
        private final Flow.Publisher<byte[]> publisher;
        private final FilterSlot of;

        Boundary(Flow.Publisher<byte[]> publisher, FilterSlot of) {
            this.publisher = publisher;
            this.of = of;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super byte[]> by) {
            publisher.subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    by.onSubscribe(subscription);
                }

                @Override
                public void onNext(byte[] item) {
                    by.onNext(item);
                }

                @Override
                public void onError(Throwable failure) {
                    earlier = failure(failure, of);
                    by.onError(failure);
                }

                @Override
                public void onComplete() {
                    by.onComplete();
                }
            });
        }
    }
}
