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

    private final SharedBucket bucket;
    private final Listener listener;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private volatile long decision = SharedBucket.UNDECIDED;
    private long charged;

    Question(SharedBucket bucket, Listener listener) {
        this.bucket = bucket;
        this.listener = listener;
    }

    void charges(long units) {
        charged = units;
    }

    /** Asks the store. */
    public void ask() {
        bucket.ask(this);
    }

    /** Returns the decision, as {@link RateLimit#take}; only after {@link Listener#onDecided}. */
    public long decision() {
        return decision;
    }

    /** The deadline is over: decides without the store, unless it has responded. */
    public void expire() {
        if (state.compareAndSet(State.OPEN, State.ALONE)) {
            decision = bucket.onLoss(bucket.now());
            listener.onDecided();
        }
    }

    /** The request needs no decision any more. */
    public void abandon() {
        state.compareAndSet(State.OPEN, State.ABANDONED);
    }

    @Override
    public void granted(long granted, long left, long wait) {
        long now = bucket.now();
        if (state.compareAndSet(State.OPEN, State.RESPONDED)) {
            decision = bucket.onResponse(granted, left, wait, now);
            listener.onDecided();
        } else {
            boolean isCharged = state.get() == State.ALONE && decision >= 0 && bucket.isOpenOnLoss();
            bucket.onLateResponse(granted, isCharged, now);
        }
    }

    @Override
    public void failed() {
        bucket.onFailure(charged);
        expire();
    }
}
