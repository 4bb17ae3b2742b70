package dev.lychgate.upstream;

import dev.lychgate.loop.DurationHistogram;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How the attempts at one endpoint have ended, counted by each event loop for itself, and the failures in a row over all
 * of them. Read by the thread that judges; its figures may be a moment old.
 */
public final class EndpointOutcomes {
    /** Longs per loop: a line of the cache and more between two loops. */
    private static final int STRIDE = 16;

    private static final int ANSWERED = 0;
    private static final int FAILED = 1;
    private static final int NANOS = 2;

    private final long[] cells;
    /** How long attempts took, by loop; created when the loop's first attempt ends. */
    private final @Nullable DurationHistogram[] durations;

    private final AtomicInteger inARow = new AtomicInteger();

    /** @param loops how many event loops count */
    public EndpointOutcomes(int loops) {
        this.cells = new long[(loops + 1) * STRIDE];
        this.durations = new DurationHistogram[loops];
    }

    /**
     * An attempt was answered, and not with a 5xx status.
     *
     * @param loop the index of the calling loop
     * @param nanos from its begin to the head of the answer
     */
    public void answered(int loop, long nanos) {
        int cell = loop * STRIDE;
        cells[cell + ANSWERED]++;
        cells[cell + NANOS] += nanos;
        record(loop, nanos);
        // Read first: a line that every loop writes with every answer would be fought for.
        if (inARow.get() != 0) {
            inARow.set(0);
        }
    }

    /**
     * An attempt failed by the origin's fault, or was answered with a 5xx status.
     *
     * @param loop the index of the calling loop
     * @param nanos from its begin to the head of the response, or to the failure
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

    /** Failures since the last answer. */
    public int inARow() {
        return inARow.get();
    }

    /** The failures in a row are judged, and counted anew. */
    public void forgetRow() {
        inARow.set(0);
    }

    /** What there has been in all. */
    public Totals totals() {
        return new Totals(sum(ANSWERED), sum(FAILED), sum(NANOS));
    }

    /** Returns how long all attempts took, failed ones included: a sum over the loops, which is the caller's own. Any thread. */
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
     * Counts over some time.
     *
     * @param answered attempts that were answered
     * @param failed attempts that failed
     * @param nanos how long the answers took together
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

        /** The share of attempts that failed; 0 without any. */
        public double failures() {
            return attempts() == 0 ? 0 : (double) failed / attempts();
        }

        /** How long an answer took on the average, in nanoseconds; 0 without any. */
        public double latency() {
            return answered == 0 ? 0 : (double) nanos / answered;
        }
    }
}
