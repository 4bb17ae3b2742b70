package dev.lychgate.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often memory was refused, and for how long without a pause. The fields are written without a lock: a lost update moves a
 * limit by one refusal. Any thread.
 */
final class Refusals {
    /** A second without a refusal ends a series of them. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private static final long LASTING = TimeUnit.SECONDS.toNanos(5);

    private final LongAdder count = new LongAdder();
    private volatile boolean begun;
    private volatile long first;
    private volatile long last;

    /** @param now the present, in nanoseconds */
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

    /** Whether they have gone on for 5 s, and there was one within the last second. */
    boolean areLasting(long now) {
        return begun && now - last < PAUSE && last - first >= LASTING;
    }
}
