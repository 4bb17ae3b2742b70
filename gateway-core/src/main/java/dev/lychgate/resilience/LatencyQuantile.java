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
            young = forgotten;
            seen = 0;
        }
        young[LatencyBuckets.of(nanos)]++;
        seen++;
    }

    /**
     * How long at most so many of a hundred take.
     *
     * @return nanoseconds; -1 if too few have been seen to say
     */
    public long of(int percentile) {
        int all = seen + seenBefore;
        if (all < ENOUGH) {
            return -1;
        }
        long left = (long) Math.ceil(all * (percentile / 100.0));
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            left -= young[i] + old[i];
            if (left <= 0) {
                return LatencyBuckets.end(i);
            }
        }
        return LatencyBuckets.end(LatencyBuckets.COUNT - 1);
    }
}
