package dev.lychgate.limit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether a part of a store responds. While it is lost, limits decide without it, and one request at a time asks whether it is back.
 * Any response of the part ends the loss. Thread-safe without locks.
 */
final class StorePart {
    /** Pause between questions to a lost part, in nanoseconds. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
    /** The part has been asked and has not responded. */
    private static final long OUTSTANDING = Long.MAX_VALUE;

    private final FleetStore fleet;
    private volatile boolean lost;
    private final AtomicLong nextProbe = new AtomicLong();

    StorePart(FleetStore fleet) {
        this.fleet = fleet;
    }

    boolean isLost() {
        return lost;
    }

    /** The part has not responded in time, or has failed. @param now as for {@link RateLimit#take} */
    void lose(long now) {
        if (!lost) {
            lost = true;
            fleet.onLoss(now);
        }
    }

    /** The part has responded. */
    void responded(long now) {
        if (lost) {
            lost = false;
            fleet.onReturn(now);
        }
    }

    /** Asks a lost part for the state of a bucket, unless it was asked a moment ago or has not responded yet. */
    void probe(BucketStore.Bucket bucket, long now) {
        long due = nextProbe.get();
        if (now >= due && nextProbe.compareAndSet(due, OUTSTANDING)) {
            fleet.store().ask(bucket, 0, 0, new Probe());
        }
    }

    private final class Probe implements BucketStore.Outcome {
        @Override
        public void granted(long granted, long left, long wait) {
            long now = fleet.now();
            nextProbe.set(now);
            responded(now);
        }

        @Override
        public void failed() {
            nextProbe.set(fleet.now() + PAUSE);
        }
    }
}
