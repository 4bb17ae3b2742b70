package dev.lychgate.upstream;

import dev.lychgate.loop.DurationHistogram;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the outcomes of the attempts at one endpoint: totals per event loop, and consecutive failures of all loops
 * together. The thread of the outlier detector reads the counters; values may be slightly outdated.
 */
public final class EndpointOutcomes {
    /**
     * The number of array elements per event loop. It separates the counters of two loops by more than a cache line.
     */
    private static final int STRIDE = 16;

    private static final int ANSWERED = 0;
    private static final int FAILED = 1;
    private static final int NANOS = 2;

    private final long[] cells;
    /**
     * The durations of attempts, by event loop. The histogram of a loop is created when the first attempt of the loop
     * ends.
     */
    private final @Nullable DurationHistogram[] durations;

    private final AtomicInteger inARow = new AtomicInteger();

    /**
     * Creates the counters of an endpoint without any attempts.
     *
     * @param loops number of event loops that count outcomes
     */
    public EndpointOutcomes(int loops) {
        this.cells = new long[(loops + 1) * STRIDE];
        this.durations = new DurationHistogram[loops];
    }

    /**
     * Counts an attempt with a response other than 5xx.
     *
     * @param loop the index of the calling loop
     * @param nanos time to the response head
     */
    public void answered(int loop, long nanos) {
        int cell = loop * STRIDE;
        cells[cell + ANSWERED]++;
        cells[cell + NANOS] += nanos;
        record(loop, nanos);
        // Reads the counter before writing, because a write per response would make all loops contend for the cache
        // line.
        if (inARow.get() != 0) {
            inARow.set(0);
        }
    }

    /**
     * Counts an attempt that failed because of the origin, or that had a 5xx response.
     *
     * @param loop the index of the calling loop
     * @param nanos time to the response head or the failure
     */
    public void failed(int loop, long nanos) {
        cells[loop * STRIDE + FAILED]++;
        record(loop, nanos);
        inARow.incrementAndGet();
    }

    private void record(int loop, long nanos) {
        DurationHistogram own = durations[loop];
        if (own == null) {
            own = new DurationHistogram();
            durations[loop] = own;
        }
        own.record(nanos);
    }

    /** Returns the number of consecutive failures. */
    public int inARow() {
        return inARow.get();
    }

    /** Sets the number of consecutive failures to 0. Called after the outlier detector has evaluated the number. */
    public void forgetRow() {
        inARow.set(0);
    }

    /** Returns the totals since the start. */
    public Totals totals() {
        return new Totals(sum(ANSWERED), sum(FAILED), sum(NANOS));
    }

    /**
     * Returns the durations of all attempts, including failed attempts, as the sum over all event loops. The result is
     * a new object, which the caller owns. Thread-safe.
     */
    public DurationHistogram durations() {
        DurationHistogram sum = new DurationHistogram();
        for (DurationHistogram part : durations) {
            if (part != null) {
                sum.add(part);
            }
        }
        return sum;
    }

    private long sum(int which) {
        long sum = 0;
        for (int i = which; i < cells.length; i += STRIDE) {
            sum += cells[i];
        }
        return sum;
    }

    /**
     * The counters of the outcomes in a period of time.
     *
     * @param answered number of attempts with a response
     * @param failed number of failed attempts
     * @param nanos sum of the response latencies
     */
    public record Totals(long answered, long failed, long nanos) {
        public static final Totals NONE = new Totals(0, 0, 0);

        public Totals minus(Totals earlier) {
            return new Totals(answered - earlier.answered, failed - earlier.failed, nanos - earlier.nanos);
        }

        public Totals plus(Totals other) {
            return new Totals(answered + other.answered, failed + other.failed, nanos + other.nanos);
        }

        public long attempts() {
            return answered + failed;
        }

        /** Returns the share of attempts that failed; 0 if there were no attempts. */
        public double failures() {
            return attempts() == 0 ? 0 : (double) failed / attempts();
        }

        /** Returns the average latency of responses, in nanoseconds; 0 if there were no responses. */
        public double latency() {
            return answered == 0 ? 0 : (double) nanos / answered;
        }
    }
}
