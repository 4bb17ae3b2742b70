package dev.lychgate.server.rollout;

import dev.lychgate.loop.DurationHistogram;
import java.util.function.IntPredicate;

/** The sum of tallies. Not thread-safe; not modified once it is complete. */
final class Counts {
    private final long[] cells;
    private final DurationHistogram durations;

    Counts() {
        this(new long[Tally.CELLS], new DurationHistogram());
    }

    /** @param cells by {@link Tally}; not copied */
    Counts(long[] cells, DurationHistogram durations) {
        this.cells = cells;
        this.durations = durations;
    }

    void add(Tally tally) {
        tally.addTo(cells, durations);
    }

    /** Returns what was counted since {@code earlier}, an earlier sum of the same tallies. */
    Counts since(Counts earlier) {
        long[] since = cells.clone();
        for (int i = 0; i < since.length; i++) {
            since[i] -= earlier.cells[i];
        }
        return new Counts(since, durations.since(earlier.durations));
    }

    long exchanges() {
        return sum(cell -> true);
    }

    /** Returns the exchanges that failed by the fault of the origin or the gateway, status 5xx included. */
    long errors() {
        return sum(Tally::isFailed);
    }

    /** Returns the exchanges in which a filter failed. */
    long filterFailures() {
        return sum(Tally::isFilterFailed);
    }

    /** @param statusClass the first digit of the status; 0 = no status */
    long ofClass(int statusClass) {
        return sum(cell -> Tally.statusClass(cell) == statusClass);
    }

    /** Returns a copy of the cells of {@link Tally}. */
    long[] cells() {
        return cells.clone();
    }

    DurationHistogram durations() {
        return durations;
    }

    private long sum(IntPredicate which) {
        long sum = 0;
        for (int i = 0; i < cells.length; i++) {
            sum += which.test(i) ? cells[i] : 0;
        }
        return sum;
    }
}
