package dev.lychgate.resilience;

/**
 * How long most answers take, by what has been seen lately: counts of two half minutes, the older of which is forgotten
 * when the younger is over. On one event loop.
 */
public final class LatencyQuantile {
    private static final long HALF = 30_000_000_000L;
    /** With fewer a percentile says more of chance than of the origin. */
    private static final int ENOUGH = 100;

    private int[] young = new int[LatencyBuckets.COUNT];
    private int[] old = new int[LatencyBuckets.COUNT];
    private int seen;
    private int seenBefore;
    private long longest;
    private long longestBefore;
    private long turn = Long.MIN_VALUE;

    /** An answer came. @param nanos how long it took */
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
     * How long at most so many of a hundred take: the end of the class that they end in, and never more than the longest of all.
     *
     * @return nanoseconds; -1 if too few have been seen to say
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
