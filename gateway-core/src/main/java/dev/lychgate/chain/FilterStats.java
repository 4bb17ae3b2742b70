package dev.lychgate.chain;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one filter has done, counted per event loop by the loop itself and read by anybody: figures may be a moment old,
 * and never go backwards; and what an operator wants of it. Kept from one generation to the next for filters of the same phase and name.
 */
public final class FilterStats {
    /** Upper bounds of the buckets of durations, in nanoseconds, inclusive: most filters take microseconds. */
    private static final long[] BOUNDS = {
        10_000L,
        50_000L,
        100_000L,
        500_000L,
        1_000_000L,
        5_000_000L,
        10_000_000L,
        50_000_000L,
        100_000_000L,
        500_000_000L,
        1_000_000_000L,
        5_000_000_000L
    };

    /** Longs per loop; lines of the cache between two loops. */
    private static final int STRIDE = 32;

    private static final int RUNS = 0;
    private static final int NANOS = 1;
    private static final int FAILURES = 2;
    private static final int TIMEOUTS = 3;
    private static final int SKIPPED = 4;
    /** The first of the buckets, of which there is one more than bounds. */
    private static final int BUCKETS = 5;

    private final long[] cells;
    /** Not an event loop's to count: it is the one that is held. */
    private final AtomicLong strikes = new AtomicLong();
    /** Not an event loop's either: none of them sees a call return that was given up. */
    private final AtomicInteger lingering = new AtomicInteger();

    private volatile Wish wish = Wish.RUN;

    /** What an operator wants of the filter. */
    public enum Wish {
        /** It runs. */
        RUN,
        /** It is left out, unless a failure of it fails the exchange: that kind protects something. */
        LEAVE_OUT,
        /** It is left out, whatever it protects. */
        LEAVE_OUT_REGARDLESS
    }

    FilterStats(int loops) {
        this.cells = new long[(loops + 1) * STRIDE];
    }

    /** Counts a run that has ended, however it has. @param loop the index of the calling loop */
    public void ran(int loop, long nanos) {
        int cell = loop * STRIDE;
        cells[cell + RUNS]++;
        cells[cell + NANOS] += nanos;
        int bucket = 0;
        // Most runs are short: looking from below finds it at the first or second step.
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++;
        }
        cells[cell + BUCKETS + bucket]++;
    }

    /** Counts a failure. */
    public void failed(int loop) {
        cells[loop * STRIDE + FAILURES]++;
    }

    /** Counts a run that took longer than it may, which is to be counted as a failure, too. */
    public void timedOut(int loop) {
        cells[loop * STRIDE + TIMEOUTS]++;
    }

    /** An operator wants something else of the filter, in all generations. From any thread. */
    public void wish(Wish other) {
        wish = other;
    }

    /** What an operator wants of the filter. */
    public Wish wish() {
        return wish;
    }

    /** Counts an exchange that would have met the filter if it had not been ejected or disabled. */
    public void skipped(int loop) {
        cells[loop * STRIDE + SKIPPED]++;
    }

    /** Counts a time the filter has held an event loop for too long. From any thread. */
    void struck() {
        strikes.incrementAndGet();
    }

    /** Counts a blocking call that was given up and doesn't return. From any thread. */
    public void lingers() {
        lingering.incrementAndGet();
    }

    /** Counts the end of such a call. From any thread. */
    public void returned() {
        lingering.decrementAndGet();
    }

    public long runs() {
        return sum(RUNS);
    }

    /** How long all runs together have taken, in nanoseconds, waiting included. */
    public long nanos() {
        return sum(NANOS);
    }

    /** How many runs fell into each bucket of {@link #bounds}, and last into that of longer ones; not added up. */
    public long[] durations() {
        long[] counts = new long[BOUNDS.length + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = sum(BUCKETS + i);
        }
        return counts;
    }

    /** Upper bounds of the buckets of {@link #durations}, in nanoseconds, inclusive; what is longer has a bucket more. */
    public static long[] bounds() {
        return BOUNDS.clone();
    }

    public long failures() {
        return sum(FAILURES);
    }

    public long timeouts() {
        return sum(TIMEOUTS);
    }

    public long skipped() {
        return sum(SKIPPED);
    }

    /** How often the filter has held an event loop for too long, over all generations. */
    public long strikes() {
        return strikes.get();
    }

    /** How many blocking calls that were given up still keep a thread, of all generations. */
    public int lingering() {
        return lingering.get();
    }

    private long sum(int which) {
        long sum = 0;
        for (int i = which; i < cells.length; i += STRIDE) {
            sum += cells[i];
        }
        return sum;
    }
}
