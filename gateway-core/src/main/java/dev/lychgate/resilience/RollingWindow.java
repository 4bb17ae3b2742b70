package dev.lychgate.resilience;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Two counts (all, and some of them) over the last stretch of time, in ten buckets. Written by one event loop, read by any
 * thread: no lock, no atomic addition. A reader may miss what is being written just then, and a bucket is forgotten as a
 * whole; both are far below what the deciders on top of it could notice.
 */
final class RollingWindow {
    private static final int BUCKETS = 10;
    private static final int WIDTH = 3;
    private static final int ALL = 1;
    private static final int SOME = 2;
    /** No bucket time: what is being cleared belongs to nobody. */
    private static final long NONE = Long.MIN_VALUE;

    private final long bucketNanos;
    private final AtomicLongArray cells = new AtomicLongArray(BUCKETS * WIDTH);

    RollingWindow(long nanos) {
        this.bucketNanos = Math.max(1, nanos / BUCKETS);
        clear();
    }

    /** Counts. The loop that owns it only. */
    void add(long all, long some, long now) {
        int at = bucket(now);
        add(at + ALL, all);
        add(at + SOME, some);
    }

    private void add(int cell, long n) {
        // One writer: reading back what it wrote itself needs no fence, and readers need no more than the value.
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

    /** Forgets everything. The loop that owns it only. */
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
