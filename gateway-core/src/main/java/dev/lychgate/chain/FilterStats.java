package dev.lychgate.chain;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one filter, and the state that an operator has requested for it. Each event loop counts its own runs. Any
 * thread may read the sums, which may be slightly outdated. All generations share the counters of filters with the same
 * phase and name.
 */
public final class FilterStats {
    /**
     * Inclusive upper bounds of the duration buckets, in nanoseconds. The first bound is 10 µs, because most runs take
     * microseconds.
     */
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

    /** Number of longs per loop. The unused longs keep the counters of two loops in different cache lines. */
    private static final int STRIDE = 32;

    private static final int RUNS = 0;
    private static final int NANOS = 1;
    private static final int FAILURES = 2;
    private static final int TIMEOUTS = 3;
    private static final int SKIPPED = 4;
    private static final int REFUSED = 5;
    /**
     * Index of the first bucket. {@link #BOUNDS} has one element for each bucket except the last one, which has no
     * upper bound.
     */
    private static final int BUCKETS = 6;

    private final long[] cells;
    /** The number of strikes; atomic, because other threads count the strikes of a blocked loop. */
    private final AtomicLong strikes = new AtomicLong();
    /** The number of windows over budget; atomic, because several generations may count at the same time. */
    private final AtomicLong overBudget = new AtomicLong();
    /** The number of abandoned calls; atomic, because blocking calls return on other threads. */
    private final AtomicInteger lingering = new AtomicInteger();

    private volatile Wish wish = Wish.RUN;
    /**
     * The states that were requested for individual routes, by route id. On these routes, they override {@link #wish}.
     */
    private final Map<String, Wish> onRoutes = new ConcurrentHashMap<>();

    /** A state that an operator can request for a filter. */
    public enum Wish {
        /** The filter runs. */
        RUN,
        /**
         * The filter is skipped unless it fails closed. Filters that fail closed still run, because they protect a
         * resource.
         */
        LEAVE_OUT,
        /** The filter is skipped even if it fails closed. */
        LEAVE_OUT_REGARDLESS
    }

    FilterStats(int loops) {
        this.cells = new long[(loops + 1) * STRIDE];
    }

    /**
     * Counts a completed run, successful or not.
     *
     * @param loop index of the calling loop
     */
    public void ran(int loop, long nanos) {
        int cell = loop * STRIDE;
        cells[cell + RUNS]++;
        cells[cell + NANOS] += nanos;
        int bucket = 0;
        // A linear search finds the bucket of most runs in one or two steps, because most runs are short.
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++;
        }
        cells[cell + BUCKETS + bucket]++;
    }

    /** Counts a failure. */
    public void failed(int loop) {
        cells[loop * STRIDE + FAILURES]++;
    }

    /** Counts a timeout. The caller also counts a failure. */
    public void timedOut(int loop) {
        cells[loop * STRIDE + TIMEOUTS]++;
    }

    /**
     * Sets the requested state for all routes and all generations, and clears the states of individual routes.
     * Thread-safe.
     */
    public void wish(Wish other) {
        wish = other;
        onRoutes.clear();
    }

    /** Sets the requested state for one route and all generations. Thread-safe. */
    public void wish(String route, Wish other) {
        onRoutes.put(route, other);
    }

    /**
     * Returns the requested state for a route.
     *
     * @param route the id of the route; null before routing
     */
    Wish wish(@Nullable String route) {
        Wish own = route == null || onRoutes.isEmpty() ? null : onRoutes.get(route);
        return own == null ? wish : own;
    }

    Set<String> changedRoutes() {
        return new TreeSet<>(onRoutes.keySet());
    }

    /** Counts an exchange that skipped the filter because the filter was ejected or disabled. */
    public void skipped(int loop) {
        cells[loop * STRIDE + SKIPPED]++;
    }

    /** Counts an exchange that was rejected because the filter had no permit left. */
    public void refused(int loop) {
        cells[loop * STRIDE + REFUSED]++;
    }

    /** Counts a window in which the filter exceeded its budget. Thread-safe. */
    public void overBudget() {
        overBudget.incrementAndGet();
    }

    /** Counts a run that blocked an event loop for too long. Thread-safe. */
    void struck() {
        strikes.incrementAndGet();
    }

    /** Counts an abandoned blocking call that has not returned. Thread-safe. */
    public void lingers() {
        lingering.incrementAndGet();
    }

    /** Counts the return of an abandoned blocking call. Thread-safe. */
    public void returned() {
        lingering.decrementAndGet();
    }

    public long runs() {
        return sum(RUNS);
    }

    /** Returns the total duration of all runs, in nanoseconds, including the time for which the runs waited. */
    public long nanos() {
        return sum(NANOS);
    }

    /**
     * Returns the number of runs in each bucket. There is one bucket for each element of {@link #bounds}, followed by a
     * bucket for longer runs. The numbers are not cumulative.
     */
    public long[] durations() {
        long[] counts = new long[BOUNDS.length + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = sum(BUCKETS + i);
        }
        return counts;
    }

    /** Returns the inclusive upper bounds of the buckets of {@link #durations}, in nanoseconds. */
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

    public long refused() {
        return sum(REFUSED);
    }

    /** Returns the number of windows in which the filter exceeded its budget, over all generations. */
    public long windowsOverBudget() {
        return overBudget.get();
    }

    /** Returns how often the filter has blocked an event loop for too long, over all generations. */
    public long strikes() {
        return strikes.get();
    }

    /** Returns the number of abandoned blocking calls that still occupy a thread, over all generations. */
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
