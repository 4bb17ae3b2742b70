package dev.lychgate.limit;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks the store of a rate limit whether one request is admitted. Used for limits whose store decides about each
 * request. The decision is made once: by the response of the store, or without the store if the store fails or does not
 * respond in time. Thread-safe.
 */
public final class Question implements BucketStore.Outcome {
    /** Receives the decision. */
    public interface Listener {
        /**
         * Called when the decision is known: at most once, on any thread, possibly before {@link Question#ask} returns.
         */
        void onDecided();
    }

    /**
     * Requests a unit from the store for one request, and derives the decision from the response or, without a
     * response, from the settings. There is one object for each question. Thread-safe.
     */
    interface Decider {
        /**
         * Asks the store. Called at most once.
         *
         * @param outcome receives the response, possibly before this method returns
         */
        void ask(BucketStore.Outcome outcome);

        /** Returns the decision that follows from a response of the store. */
        long onResponse(long granted, long left, long wait);

        /**
         * Handles a response that arrives after the decision.
         *
         * @param admitted whether the request was admitted without the store; if not, the granted unit is not needed
         */
        void onLateResponse(long granted, boolean admitted);

        /** Returns the decision without the store, which has not responded in time. */
        long onLoss();

        /** Handles a failure of the store. A call of {@link #onLoss} may follow. */
        void onFailure();
    }

    /** The value of {@link #decision} before a decision. */
    static final long UNDECIDED = Long.MIN_VALUE;

    private enum State {
        /** No decision has been made. */
        OPEN,
        /** The response of the store has determined the decision. */
        RESPONDED,
        /** The decision was made without the store. */
        ALONE,
        /** No decision is needed any more. */
        ABANDONED
    }

    private final Decider decider;
    private final Listener listener;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private volatile long decision = UNDECIDED;

    Question(Decider decider, Listener listener) {
        this.decider = decider;
        this.listener = listener;
    }

    /** Sends the question to the store. */
    public void ask() {
        decider.ask(this);
    }

    /**
     * Returns the decision. The number has the meaning that {@link RateLimit#take} defines for its result. Valid after
     * {@link Listener#onDecided}.
     */
    public long decision() {
        return decision;
    }

    /** Decides without the store if the store has not responded. Called when the deadline has passed. */
    public void expire() {
        if (state.compareAndSet(State.OPEN, State.ALONE)) {
            decision = decider.onLoss();
            listener.onDecided();
        }
    }

    /** Ends the question without a decision, because the request has ended. */
    public void abandon() {
        state.compareAndSet(State.OPEN, State.ABANDONED);
    }

    @Override
    public void granted(long granted, long left, long wait) {
        if (state.compareAndSet(State.OPEN, State.RESPONDED)) {
            decision = decider.onResponse(granted, left, wait);
            listener.onDecided();
        } else {
            decider.onLateResponse(granted, state.get() == State.ALONE && decision >= 0);
        }
    }

    @Override
    public void failed() {
        decider.onFailure();
        expire();
    }
}
