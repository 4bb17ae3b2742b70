package dev.lychgate.resilience;

/**
 * Classes of latencies for histograms, from 64 µs to one minute, with four classes per doubling of the latency. The
 * upper bound of a class exceeds the latencies in it by at most a fifth. The counters of all classes fit into an array.
 */
public final class LatencyBuckets {
    /** The lower bound of the lowest class is 2 to the power of this number: 65,536 ns. */
    private static final int LOWEST = 16;

    private static final int DOUBLINGS = 20;

    /** Number of classes. */
    public static final int COUNT = DOUBLINGS * 4;

    private LatencyBuckets() {}

    /** Returns the class of a latency of {@code nanos} nanoseconds. */
    public static int of(long nanos) {
        if (nanos < 1L << LOWEST) {
            return 0;
        }
        int doubling = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >> (doubling - 2)) & 3;
        return Math.min(COUNT - 1, (doubling - LOWEST) * 4 + quarter);
    }

    /**
     * Returns the upper bound of a class, in nanoseconds. The last class also contains all latencies above its upper
     * bound.
     */
    public static long end(int bucket) {
        return (bucket % 4 + 5L) << (bucket / 4 + LOWEST - 2);
    }
}
