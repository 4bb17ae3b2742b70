package dev.lychgate.resilience;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Two counters over a sliding window of time: one counter for all events, and one counter for a subset of the events.
 * The window consists of ten buckets. One event loop writes the counters, and any thread may read them, without locks
 * or atomic additions. A reader may miss a concurrent write, and a bucket expires as a whole. The resulting errors are
 * too small to affect decisions.
 */
final class RollingWindow {
    private static final int BUCKETS = 10;
    private static final int WIDTH = 3;
    private static final int ALL = 1;
    private static final int SOME = 2;
    /** The time of a bucket that is being cleared, and thus belongs to no period. */
    private static final long NONE = Long.MIN_VALUE;

    private final long bucketNanos;
    private final AtomicLongArray cells = new AtomicLongArray(BUCKETS * WIDTH);

    RollingWindow(long nanos) {
        this.bucketNanos = Math.max(1, nanos / BUCKETS);
        clear();
    }

    /** Adds {@code all} and {@code some} to the two counters. Must be called on the event loop that owns the window. */
    void add(long all, long some, long now) {
        int at = bucket(now);
        add(at + ALL, all);
        add(at + SOME, some);
    }

    private void add(int cell, long n) {
        // There is a single writer, which needs no fence to read its own writes. Readers need the value, but no
        // ordering with other data.
        cells.setOpaque(cell, cells.getPlain(cell) + n);
    }

    private int bucket(long now) {
        long time = Math.floorDiv(now, bucketNanos);
        int at = Math.floorMod(time, BUCKETS) * WIDTH;
        if (cells.getPlain(at) != time) {
            cells.setRelease(at, NONE);
            cells.setRelease(at + ALL, 0);
            cells.setRelease(at + SOME, 0);
            cells.setRelease(at, time);
        }
        return at;
    }

    /** Sets both counters to 0. Must be called on the event loop that owns the window. */
    void clear() {
        for (int i = 0; i < BUCKETS; i++) {
            cells.setRelease(i * WIDTH, NONE);
        }
    }

    long all(long now) {
        return sum(ALL, now);
    }

    long some(long now) {
        return sum(SOME, now);
    }

    private long sum(int which, long now) {
        long newest = Math.floorDiv(now, bucketNanos);
        long sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            long time = cells.getAcquire(i * WIDTH);
            if (time != NONE && time > newest - BUCKETS) {
                sum += cells.getOpaque(i * WIDTH + which);
            }
        }
        return sum;
    }
}
