package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts refused allocations, and determines how long refusals have continued without a pause. Fields are written
 * without a lock, because a lost update changes the measured time by no more than the interval between two refusals.
 * Thread-safe.
 */
final class Refusals {
    /** Time after which a series of refusals ends if no further refusal occurs, in nanoseconds. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private static final long LASTING = TimeUnit.SECONDS.toNanos(5);

    private final LongAdder count = new LongAdder();
    private volatile boolean begun;
    private volatile long first;
    private volatile long last;

    /**
     * Records a refusal.
     *
     * @param now the current time, in nanoseconds
     */
    void add(long now) {
        count.increment();
        if (!begun || now - last >= PAUSE) {
            first = now;
            begun = true;
        }
        last = now;
    }

    long count() {
        return count.sum();
    }

    /** Returns whether refusals have continued for 5 s, with one in the last second. */
    boolean areLasting(long now) {
        return begun && now - last < PAUSE && last - first >= LASTING;
    }
}
