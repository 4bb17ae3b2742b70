package dev.lychgate.filters.state;

import dev.lychgate.filter.FilterTimer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** A timer of a filter, with a limited number of labels. */
public final class Times implements FilterTimer {
    private final ByLabel<Cell> cells = new ByLabel<>(Cell::new);

    /** Durations of one label. */
    private static final class Cell {
        private final LongAdder count = new LongAdder();
        private final LongAdder nanos = new LongAdder();
    }

    /**
     * The number and the sum of the durations of one label.
     *
     * @param nanos the sum of the durations
     */
    public record Sum(long count, long nanos) {}

    Times() {}

    @Override
    public void record(String label, Duration duration) {
        Cell cell = cells.of(label);
        cell.nanos.add(Math.max(0, duration.toNanos()));
        cell.count.increment();
    }

    @Override
    public long count() {
        long count = 0;
        for (Cell each : cells.all()) {
            count += each.count.sum();
        }
        return count;
    }

    public Map<String, Sum> byLabel() {
        return cells.sorted(cell -> new Sum(cell.count.sum(), cell.nanos.sum()));
    }
}
