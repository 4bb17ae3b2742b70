package dev.lychgate.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tracks whether a part of a store responds. A part that does not respond is lost: limits decide without it, and one
 * request at a time probes it. Any response of the part ends the loss. Thread-safe without locks.
 */
final class StorePart {
    /** Receives the changes of the state. */
    interface Listener {
        /** Called when the part no longer responds. */
        void onLoss(long now);

        /** Called when the part responds again. */
        void onReturn(long now);
    }

    /** The pause between probes of a lost part, in nanoseconds. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    /** The value of {@link #nextProbe} while the response to a probe is outstanding. */
    private static final long OUTSTANDING = Long.MAX_VALUE;

    private final BucketStore store;
    private final LongSupplier clock;
    private final Listener listener;
    private volatile boolean lost;
    private final AtomicLong nextProbe = new AtomicLong();

    /** Creates a part that is not lost. {@code clock} returns the time in nanoseconds, as {@link LimitClock#now}. */
    StorePart(BucketStore store, LongSupplier clock, Listener listener) {
        this.store = store;
        this.clock = clock;
        this.listener = listener;
    }

    boolean isLost() {
        return lost;
    }

    /**
     * Records that the part has failed or has not responded in time.
     *
     * @param now the time, as for {@link RateLimit#take}
     */
    void lose(long now) {
        if (!lost) {
            lost = true;
            listener.onLoss(now);
        }
    }

    /** Records a response of the part. */
    void responded(long now) {
        if (lost) {
            lost = false;
            listener.onReturn(now);
        }
    }

    /**
     * Probes a lost part by requesting the state of {@code bucket}, unless the last probe is recent or its response is
     * outstanding.
     */
    void probe(BucketStore.Bucket bucket, long now) {
        long due = nextProbe.get();
        if (now >= due && nextProbe.compareAndSet(due, OUTSTANDING)) {
            store.ask(bucket, 0, 0, new Probe());
        }
    }

    private final class Probe implements BucketStore.Outcome {
        @Override
        public void granted(long granted, long left, long wait) {
            long now = clock.getAsLong();
            nextProbe.set(now);
            responded(now);
        }

        @Override
        public void failed() {
            nextProbe.set(clock.getAsLong() + PAUSE);
        }
    }
}
