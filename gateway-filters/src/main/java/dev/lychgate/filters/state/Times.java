package dev.lychgate.filters.state;

import dev.lychgate.filter.FilterTimer;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** A timer of a filter. */
public final class Times implements FilterTimer {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    Times() {}

    @Override
    public void record(Duration duration) {
        nanos.add(Math.max(0, duration.toNanos()));
        count.increment();
    }

    @Override
    public long count() {
        return count.sum();
    }

    /** Returns the sum of the durations. */
    public long nanos() {
        return nanos.sum();
    }
}
