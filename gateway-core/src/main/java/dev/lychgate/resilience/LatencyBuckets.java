package dev.lychgate.resilience;

/**
 * Latency classes: four per doubling, from 64 µs to one minute. The error of a class is at most a fifth, and the
 * counters of all classes fit into an array.
 */
public final class LatencyBuckets {
    /** Lower bound of the lowest class, as a power of two: 65,536 ns. */
    private static final int LOWEST = 16;

    private static final int DOUBLINGS = 20;

    /** Number of classes. */
    public static final int COUNT = DOUBLINGS * 4;

    private LatencyBuckets() {}

    /** Returns the class of {@code nanos}. */
    public static int of(long nanos) {
        if (nanos < 1L << LOWEST) {
            return 0;
        }
        int doubling = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >> (doubling - 2)) & 3;
        return Math.min(COUNT - 1, (doubling - LOWEST) * 4 + quarter);
    }

    /** Returns the upper bound of a class in nanoseconds. The last class also contains all longer times. */
    public static long end(int bucket) {
        return (bucket % 4 + 5L) << (bucket / 4 + LOWEST - 2);
    }
}
