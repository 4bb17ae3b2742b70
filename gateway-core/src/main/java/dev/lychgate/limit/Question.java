package dev.lychgate.limit;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The question about one request to the store of an exact limit. It is decided once: by the response, or without the store if that fails
 * or does not respond in time. Thread-safe.
 */
public final class Question implements BucketStore.Outcome {
    /** Receives the decision. */
    public interface Listener {
        /** The decision is known. Called at most once, on any thread, possibly before {@link Question#ask} returns. */
        void onDecided();
    }

    /** Asks for the unit of one request, and decides by the response or without it. One object for each question. Thread-safe. */
    interface Decider {
        /**
         * Asks the store. Called at most once.
         *
         * @param outcome may be called before this method returns
         */
        void ask(BucketStore.Outcome outcome);

        /** Returns the decision that a response means. */
        long onResponse(long granted, long left, long wait);

        /**
         * Handles a response that no longer decides.
         *
         * @param admitted whether the request was admitted without the store; otherwise the granted unit is superfluous
         */
        void onLateResponse(long granted, boolean admitted);

        /** Returns the decision without the store, which has not responded in time. */
        long onLoss();

        /** Handles a failure of the store. A decision without the store may follow. */
        void onFailure();
    }

    /** The decision while there is none. */
    static final long UNDECIDED = Long.MIN_VALUE;

    private enum State {
        /** No decision has been made. */
        OPEN,
        /** The response is the decision. */
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

    /** Asks the store. */
    public void ask() {
        decider.ask(this);
    }

    /** Returns the decision, as {@link RateLimit#take}; only after {@link Listener#onDecided}. */
    public long decision() {
        return decision;
    }

    /** The deadline is over: decides without the store, unless it has responded. */
    public void expire() {
        if (state.compareAndSet(State.OPEN, State.ALONE)) {
            decision = decider.onLoss();
            listener.onDecided();
        }
    }

    /** The request needs no decision any more. */
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
