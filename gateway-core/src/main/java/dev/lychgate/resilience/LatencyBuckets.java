package dev.lychgate.resilience;

/**
 * Lengths of time in classes: four to each doubling, from 64 µs to a minute. A class is known to within a fifth of its
 * length, and what counts by class needs no more than an array.
 */
public final class LatencyBuckets {
    /** The shortest that is told apart, as a power of two: 65,536 ns. */
    private static final int LOWEST = 16;

    private static final int DOUBLINGS = 20;

    /** How many classes there are. */
    public static final int COUNT = DOUBLINGS * 4;

    private LatencyBuckets() {}

    /** The class of {@code nanos}. */
    public static int of(long nanos) {
        if (nanos < 1L << LOWEST) {
            return 0;
        }
        int doubling = 63 - Long.numberOfLeadingZeros(nanos);
        int quarter = (int) (nanos >> (doubling - 2)) & 3;
        return Math.min(COUNT - 1, (doubling - LOWEST) * 4 + quarter);
    }

    /** Where a class ends, in nanoseconds: nothing in it is longer, but for the last one. */
    public static long end(int bucket) {
        return (bucket % 4 + 5L) << (bucket / 4 + LOWEST - 2);
    }
}
