package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The publishers that filters have put one after the other, and which of them has failed. */
final class BodyPublishers {
    private static final int DEEPEST_CAUSE = 100;

    private Flow.Publisher<byte[]> output;
    private @Nullable FilterSlot last;
    /** The failure of a publisher that others follow. Set on any thread. */
    private volatile TransformChain.@Nullable Failure earlier;

    BodyPublishers(Flow.Publisher<byte[]> input) {
        this.output = input;
    }

    /** Adds a publisher after the others. @param by the filter that adds it */
    void map(UnaryOperator<Flow.Publisher<byte[]>> operator, FilterSlot by) {
        FilterSlot before = last;
        Flow.Publisher<byte[]> received = before == null ? output : new Boundary(output, before);
        output = Objects.requireNonNull(operator.apply(received), "the operator returned null");
        last = by;
    }

    Flow.Publisher<byte[]> output() {
        return output;
    }

    /** Returns a failure with the filter that caused it. @param of that filter, unless an earlier publisher has failed */
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

    /** Passes the signals of one filter's publisher on to the next filter, and records its failure. */
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
