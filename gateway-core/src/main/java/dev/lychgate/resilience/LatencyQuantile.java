package dev.lychgate.resilience;

/**
 * Computes percentiles of the latencies of recent responses. The latencies are counted in two consecutive windows of 30
 * s each. When the current window ends, the previous window is dropped and a new one begins. Used on one event loop
 * only.
 */
public final class LatencyQuantile {
    private static final long HALF = 30_000_000_000L;
    /** The minimum number of latencies for a meaningful percentile. */
    private static final int ENOUGH = 100;

    private int[] young = new int[LatencyBuckets.COUNT];
    private int[] old = new int[LatencyBuckets.COUNT];
    private int seen;
    private int seenBefore;
    private long longest;
    private long longestBefore;
    private long turn = Long.MIN_VALUE;

    /**
     * Records the latency of a response.
     *
     * @param nanos the latency of the response
     */
    public void record(long nanos, long now) {
        if (turn == Long.MIN_VALUE) {
            turn = now + HALF;
        } else if (now - turn >= 0) {
            turn = now + HALF;
            int[] forgotten = old;
            java.util.Arrays.fill(forgotten, 0);
            old = young;
            seenBefore = seen;
            longestBefore = longest;
            longest = 0;
            young = forgotten;
            seen = 0;
        }
        young[LatencyBuckets.of(nanos)]++;
        seen++;
        longest = Math.max(longest, nanos);
    }

    /**
     * Returns a percentile of the latencies. The result is the upper bound of the class that contains the percentile,
     * or the longest recorded latency if it is lower than this bound.
     *
     * @return nanoseconds; -1 if there are too few latencies
     */
    public long of(int percentile) {
        int all = seen + seenBefore;
        if (all < ENOUGH) {
            return -1;
        }
        long most = Math.max(longest, longestBefore);
        long left = (long) Math.ceil(all * (percentile / 100.0));
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            left -= young[i] + old[i];
            if (left <= 0) {
                return Math.min(most, LatencyBuckets.end(i));
            }
        }
        return most;
    }
}
