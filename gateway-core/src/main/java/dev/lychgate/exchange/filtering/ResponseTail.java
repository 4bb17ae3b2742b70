package dev.lychgate.exchange.filtering;

import org.jspecify.annotations.Nullable;

/** What follows the transforms of a response body: publishers of filters, and actions on the trailers. */
final class ResponseTail {
    private @Nullable BodyFlow flow;
    private @Nullable TrailerActions trailers;

    @Nullable
    BodyFlow flow() {
        return flow;
    }

    void flow(BodyFlow added) {
        flow = added;
    }

    @Nullable
    TrailerActions trailers() {
        return trailers;
    }

    TrailerActions addTrailers() {
        TrailerActions actions = trailers;
        if (actions == null) {
            actions = new TrailerActions();
            trailers = actions;
        }
        return actions;
    }

    /** The body was replaced, or the exchange has ended. */
    void closeFlow() {
        BodyFlow f = flow;
        flow = null;
        if (f != null) {
            f.close();
        }
    }
}
