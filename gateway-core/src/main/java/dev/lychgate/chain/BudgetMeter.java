package dev.lychgate.chain;

import dev.lychgate.config.FilterBudget;
import dev.lychgate.pool.Permits;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The budget of one filter in one generation, and the measured use of that budget. Each event loop admits and measures
 * its own runs, and writes its own counters. The watchdog reads and evaluates the counters of all loops; the values
 * that it reads may be slightly outdated.
 *
 * <p>On each loop, the meter measures one of every {@value #RATE} runs. It measures at least one run per
 * {@code INTERVAL}, so that there are enough samples of a filter that runs rarely. The first {@value #UNMEASURED} runs
 * are not measured, because they load and link code.
 *
 * <p>A reading of the CPU time is a system call, which costs more than most filters. Therefore, only one measured run
 * per {@code INTERVAL} includes the CPU time, unless the filter is suspect. A filter is suspect for {@value #SUSPICION}
 * runs after a run whose duration exceeded the bound of CPU time. The CPU time of a run never exceeds its duration, so
 * a filter that exceeds the bound of CPU time is always suspect.
 */
public final class BudgetMeter {
    /** Explains why a blocking filter is refused if it declares a bound of CPU time or allocation. */
    public static final String NOT_MEASURED =
            "a blocking filter has a budget of cpu or allocation, but the gateway does not measure the filter's thread";

    static final int RATE = 64;
    static final int UNMEASURED = 8;
    static final int SUSPICION = 4096;
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

    /** Number of longs per loop. The unused longs keep the counters of two loops in different cache lines. */
    private static final int STRIDE = 16;

    private static final int RUNS = 0;
    private static final int LAST = 1;
    private static final int OPEN = 2;
    private static final int CPU_BEFORE = 3;
    private static final int BYTES_BEFORE = 4;
    private static final int SAMPLES = 5;
    private static final int CPU = 6;
    private static final int BYTES = 7;
    private static final int ENDED = 8;
    private static final int NANOS = 9;
    private static final int CPU_SAMPLES = 10;
    private static final int CPU_LAST = 11;
    private static final int SUSPECT_UNTIL = 12;

    /** A measurement that includes the allocation only. */
    private static final int WITHOUT_CPU = 1;

    private static final int WITH_CPU = 2;

    /** Permits that admit every run. */
    private static final Permits UNBOUNDED = new Permits() {
        @Override
        public boolean tryAcquire() {
            return true;
        }

        @Override
        public boolean tryAcquire(int spare) {
            return true;
        }

        @Override
        public int total() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void release() {}
    };

    private final FilterBudget budget;
    private final @Nullable ThreadUsage usage;
    /** The bound of CPU time in nanoseconds. */
    private final long cpuBound;

    private final long[] cells;
    private final Permits[] usual;
    /** The permits of each loop. While the filter is limited, all loops share one permit. */
    private volatile Permits[] places;

    private volatile Means means = Means.NONE;
    private volatile int strikes;

    /**
     * Sums over the runs of the filter since the start of the generation. In contrast, the counters in
     * {@link FilterStats} also include earlier generations.
     *
     * @param samples number of measured runs
     * @param bytes allocation of the measured runs, in bytes
     * @param cpuSamples number of runs whose CPU time was measured
     * @param cpuNanos CPU time of these runs, in nanoseconds
     * @param runs number of all runs
     * @param nanos duration of all runs, in nanoseconds, including the time for which the runs waited
     */
    public record Totals(long samples, long bytes, long cpuSamples, long cpuNanos, long runs, long nanos) {}

    /**
     * Means of the latest window of time: CPU time, allocation and duration per run, and the number of runs per second.
     * A value is 0 if it was not measured.
     */
    public record Means(long cpuNanos, long bytes, long nanos, long runsPerSecond) {
        static final Means NONE = new Means(0, 0, 0, 0);
    }

    private BudgetMeter(FilterBudget budget, boolean measured, int loops) {
        this.budget = budget;
        this.usage = measured ? ThreadUsage.ofJvm() : null;
        this.cpuBound = budget.cpu() == null ? Long.MAX_VALUE : budget.cpu().toNanos();
        this.cells = new long[(loops + 1) * STRIDE];
        Integer most = budget.concurrency();
        Supplier<Permits> shares = most == null ? () -> UNBOUNDED : Permits.shares(most, loops);
        this.usual = IntStream.range(0, loops).mapToObj(loop -> shares.get()).toArray(Permits[]::new);
        this.places = usual;
    }

    /**
     * Creates the meter of a filter; returns null if its budget sets no bounds.
     *
     * @param form the form of the filter; threads of blocking filters are not measured
     */
    static @Nullable BudgetMeter of(FilterBudget budget, FilterForm form, int loops) {
        return budget.isBounded()
                ? new BudgetMeter(budget, budget.isMeasured() && form != FilterForm.BLOCKING, loops)
                : null;
    }

    /**
     * Admits a run and begins its measurement. Called on an event loop.
     *
     * @param loop index of the calling loop
     * @param now the current time, in nanoseconds
     * @return the permit of the run, which the caller releases at the end of the run; null if the filter has no permit
     *     left
     */
    public @Nullable Permits enter(int loop, long now) {
        Permits place = places[loop];
        if (!place.tryAcquire()) {
            return null;
        }
        if (usage != null) {
            int cell = loop * STRIDE;
            long run = cells[cell + RUNS]++;
            if ((run & (RATE - 1)) == RATE - 1 || (run >= UNMEASURED && now - cells[cell + LAST] >= INTERVAL)) {
                begin(usage, cell, run, now);
            }
        }
        return place;
    }

    private void begin(ThreadUsage reading, int cell, long run, long now) {
        cells[cell + LAST] = now;
        cells[cell + BYTES_BEFORE] = reading.allocatedBytes();
        boolean withCpu = run < cells[cell + SUSPECT_UNTIL]
                || now - cells[cell + CPU_LAST] >= INTERVAL
                || cells[cell + CPU_SAMPLES] == 0;
        cells[cell + OPEN] = withCpu ? WITH_CPU : WITHOUT_CPU;
        if (withCpu) {
            cells[cell + CPU_LAST] = now;
            cells[cell + CPU_BEFORE] = reading.cpuNanos();
        }
    }

    /** Ends the measurement of a run. Called when the run leaves the event loop or ends on it. */
    public void left(int loop) {
        int cell = loop * STRIDE;
        if (usage != null && cells[cell + OPEN] != 0) {
            end(usage, cell);
        }
    }

    private void end(ThreadUsage reading, int cell) {
        if (cells[cell + OPEN] == WITH_CPU) {
            cells[cell + CPU] += reading.cpuNanos() - cells[cell + CPU_BEFORE];
            cells[cell + CPU_SAMPLES]++;
        }
        cells[cell + OPEN] = 0;
        cells[cell + BYTES] += reading.allocatedBytes() - cells[cell + BYTES_BEFORE];
        cells[cell + SAMPLES]++;
    }

    /**
     * Counts a completed run, successful or not.
     *
     * @param loop index of the calling loop
     */
    public void ran(int loop, long nanos) {
        int cell = loop * STRIDE;
        cells[cell + ENDED]++;
        cells[cell + NANOS] += nanos;
        if (nanos > cpuBound) {
            cells[cell + SUSPECT_UNTIL] = cells[cell + RUNS] + SUSPICION;
        }
    }

    /** Returns the bounds of this filter, including inherited bounds. */
    public FilterBudget budget() {
        return budget;
    }

    /**
     * Returns whether CPU time and allocation of runs are measured. The result is false if the budget bounds neither
     * CPU time nor allocation, if the filter is a blocking filter, or if the JVM offers no measurement.
     */
    public boolean isMeasuring() {
        return usage != null;
    }

    /** Returns the sums over all loops. Thread-safe. */
    public Totals totals() {
        return new Totals(sum(SAMPLES), sum(BYTES), sum(CPU_SAMPLES), sum(CPU), sum(ENDED), sum(NANOS));
    }

    private long sum(int which) {
        long sum = 0;
        for (int i = which; i < cells.length; i += STRIDE) {
            sum += cells[i];
        }
        return sum;
    }

    /**
     * Sets how many exchanges may run the filter concurrently. Thread-safe.
     *
     * @param toOne if true, one exchange at a time may run the filter, and the filter pauses after each run for as long
     *     as the run lasted; if false, as many exchanges as the budget allows may run the filter
     */
    public void limit(boolean toOne) {
        if (toOne) {
            Permits[] one = new Permits[usual.length];
            Arrays.fill(one, new RestingPlace(System::nanoTime));
            places = one;
        } else {
            places = usual;
        }
    }

    /** Returns whether only one exchange at a time is admitted. Thread-safe. */
    public boolean isLimited() {
        return places != usual;
    }

    /**
     * Publishes the measured means of a window of time, and the strikes. Called on the watchdog thread.
     *
     * @param strikes number of consecutive windows in which the filter exceeded its budget
     */
    public void evaluated(Means window, int strikes) {
        this.means = window;
        this.strikes = strikes;
    }

    /** Returns the means of the latest window. Thread-safe. */
    public Means means() {
        return means;
    }

    /** Returns the number of consecutive windows in which the filter exceeded its budget. Thread-safe. */
    public int strikes() {
        return strikes;
    }
}
