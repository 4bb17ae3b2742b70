package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Trailers;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The stages after the transforms of a body: the publishers of filters, and the actions of filters on trailers. */
final class BodyTail {
    private final FilterLoop loop;
    private final FilterSubject exchange;
    private final Runnable onReclaim;
    private @Nullable BodyFlow flow;
    private @Nullable TrailerActions trailers;

    BodyTail(FilterLoop loop, FilterSubject exchange, Runnable onReclaim) {
        this.loop = loop;
        this.exchange = exchange;
        this.onReclaim = onReclaim;
    }

    @Nullable
    BodyFlow flow() {
        return flow;
    }

    /**
     * Adds a publisher.
     *
     * @param of the filter that adds the publisher
     */
    void map(FilterSlot of, UnaryOperator<Flow.Publisher<byte[]>> operator) {
        BodyFlow all = flow == null ? new BodyFlow(loop, exchange, of, onReclaim) : flow;
        all.map(operator, of);
        flow = all;
    }

    /** Returns whether the body has neither publishers nor actions on trailers. */
    boolean isEmpty() {
        return flow == null && trailers == null;
    }

    /**
     * Adds a transform after the publishers.
     *
     * @return false if there are no publishers, so that the transform was not added
     */
    boolean add(BodyTransform transform, FilterSlot of) {
        BodyFlow f = flow;
        if (f != null) {
            f.add(transform, of);
        }
        return f != null;
    }

    @Nullable
    TrailerActions trailers() {
        return trailers;
    }

    void onTrailers(FilterSlot of, Consumer<? super Trailers> action) {
        trailers = trailers == null ? new TrailerActions() : trailers;
        trailers.add(of, action);
    }

    /** Drops the publishers, because the body was replaced or is not sent, or because the exchange has ended. */
    void closeFlow() {
        BodyFlow f = flow;
        flow = null;
        if (f != null) {
            f.close();
        }
    }
}
