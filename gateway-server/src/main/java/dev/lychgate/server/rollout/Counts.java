package dev.lychgate.server.rollout;

import dev.lychgate.generation.Split;
import dev.lychgate.loop.DurationHistogram;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The sum of several tallies. Not thread-safe; not modified after all tallies were added. */
final class Counts {
    private static final DurationHistogram NO_DURATIONS = new DurationHistogram();
    private static final int NO_PART = -1;
    /** The number of groups of clients in each part. */
    private static final int OF_PART = Split.GROUPS / Split.PARTS;

    /**
     * The number of exchanges for each group of clients and each combination of properties, as in {@link Tally#cell}.
     */
    private final long[] cells;
    /** The number of exchanges for each group of clients and each class of durations, as in {@link Tally#speed}. */
    private final long[] speeds;

    private final DurationHistogram durations;
    /** The part of the groups that is omitted; {@link #NO_PART} if no part is omitted. */
    private final int omitted;

    Counts() {
        this(new long[Split.GROUPS * Tally.CELLS], new long[Split.GROUPS * Tally.SPEEDS], new DurationHistogram());
    }

    /** Creates counts from arrays, without copying them. */
    Counts(long[] cells, long[] speeds, DurationHistogram durations) {
        this(cells, speeds, durations, NO_PART);
    }

    private Counts(long[] cells, long[] speeds, DurationHistogram durations, int omitted) {
        this.cells = cells;
        this.speeds = speeds;
        this.durations = durations;
        this.omitted = omitted;
    }

    void add(Tally tally) {
        tally.addTo(cells, speeds, durations);
    }

    /**
     * Returns the increase of the counts since {@code earlier}, which must be an earlier sum of the tallies in this
     * object.
     */
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

    /** Returns these counts without one part of the groups. The histogram of durations still contains all groups. */
    Counts without(int part) {
        return new Counts(cells, speeds, durations, part);
    }

    /** Returns the counts of one group of clients, without the histogram of durations. */
    Counts ofGroup(int group) {
        if (group / OF_PART == omitted) {
            return new Counts();
        }
        return new Counts(
                Arrays.copyOfRange(cells, group * Tally.CELLS, (group + 1) * Tally.CELLS),
                Arrays.copyOfRange(speeds, group * Tally.SPEEDS, (group + 1) * Tally.SPEEDS),
                NO_DURATIONS);
    }

    long exchanges() {
        return sum(cell -> true);
    }

    /**
     * Returns the number of exchanges that failed because of the origin or the gateway, including exchanges with a
     * status of 5xx.
     */
    long errors() {
        return sum(Tally::isFailed);
    }

    /** Returns the number of exchanges in which a filter failed. */
    long filterFailures() {
        return sum(Tally::isFilterFailed);
    }

    /** @param statusClass the first digit of the status; 0 for exchanges without a status */
    long ofClass(int statusClass) {
        return sum(cell -> Tally.statusClass(cell) == statusClass);
    }

    /**
     * Returns the approximate number of exchanges that took longer than a duration, for comparisons of groups. It is
     * approximate because durations of groups are counted only by their power of two.
     */
    long aboutAbove(long nanos) {
        long sum = 0;
        for (int i = 0; i < speeds.length; i++) {
            boolean counts = i % Tally.SPEEDS > Tally.speed(nanos) && isCounted(i / Tally.SPEEDS);
            sum += counts ? speeds[i] : 0;
        }
        return sum;
    }

    /** Returns a copy of the numbers of exchanges for each group of clients and each combination of properties. */
    long[] cells() {
        return cells.clone();
    }

    DurationHistogram durations() {
        return durations;
    }

    private long sum(IntPredicate which) {
        long sum = 0;
        for (int i = 0; i < cells.length; i++) {
            boolean counts = cells[i] != 0 && which.test(i % Tally.CELLS) && isCounted(i / Tally.CELLS);
            sum += counts ? cells[i] : 0;
        }
        return sum;
    }

    /**
     * Returns whether a group is included. In the counts of a single group, the index of that group is 0, and no part
     * is omitted.
     */
    private boolean isCounted(int group) {
        return group / OF_PART != omitted;
    }
}
