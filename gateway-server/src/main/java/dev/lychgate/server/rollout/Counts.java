package dev.lychgate.server.rollout;

import dev.lychgate.generation.Split;
import dev.lychgate.loop.DurationHistogram;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The sum of tallies. Not thread-safe; not modified once it is complete. */
final class Counts {
    private static final DurationHistogram NO_DURATIONS = new DurationHistogram();

    /** By group and {@link Tally#cell}. */
    private final long[] cells;
    /** By group and {@link Tally#speed}. */
    private final long[] speeds;

    private final DurationHistogram durations;

    Counts() {
        this(new long[Split.GROUPS * Tally.CELLS], new long[Split.GROUPS * Tally.SPEEDS], new DurationHistogram());
    }

    /** The arrays are not copied. */
    Counts(long[] cells, long[] speeds, DurationHistogram durations) {
        this.cells = cells;
        this.speeds = speeds;
        this.durations = durations;
    }

    void add(Tally tally) {
        tally.addTo(cells, speeds, durations);
    }

    /** Returns what was counted since {@code earlier}, an earlier sum of the same tallies. */
    Counts since(Counts earlier) {
        return new Counts(
                difference(cells, earlier.cells),
                difference(speeds, earlier.speeds),
                durations.since(earlier.durations));
    }

    private static long[] difference(long[] now, long[] before) {
        long[] difference = now.clone();
        for (int i = 0; i < difference.length; i++) {
            difference[i] -= before[i];
        }
        return difference;
    }

    /** Returns the exchanges of one group of clients, without their durations. */
    Counts ofGroup(int group) {
        return new Counts(
                Arrays.copyOfRange(cells, group * Tally.CELLS, (group + 1) * Tally.CELLS),
                Arrays.copyOfRange(speeds, group * Tally.SPEEDS, (group + 1) * Tally.SPEEDS),
                NO_DURATIONS);
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

    /** Returns about how many exchanges took longer, for comparisons of groups: durations are known by their power of two. */
    long aboutAbove(long nanos) {
        long sum = 0;
        for (int i = 0; i < speeds.length; i++) {
            sum += i % Tally.SPEEDS > Tally.speed(nanos) ? speeds[i] : 0;
        }
        return sum;
    }

    /** Returns a copy of the cells, by group and {@link Tally#cell}. */
    long[] cells() {
        return cells.clone();
    }

    DurationHistogram durations() {
        return durations;
    }

    private long sum(IntPredicate which) {
        long sum = 0;
        for (int i = 0; i < cells.length; i++) {
            sum += cells[i] != 0 && which.test(i % Tally.CELLS) ? cells[i] : 0;
        }
        return sum;
    }
}
