package dev.lychgate.server.metrics;

/**
 * The fixed buckets of the duration histogram: 1 ms to 30 s, closer together where gateways live. The same everywhere and
 * not configurable, so that the histograms of several gateways add up.
 */
final class DurationBuckets {
    /** Upper bounds in nanoseconds, inclusive; what is longer falls into one more bucket. */
    private static final long[] BOUNDS = {
        1_000_000L,
        2_500_000L,
        5_000_000L,
        10_000_000L,
        25_000_000L,
        50_000_000L,
        100_000_000L,
        250_000_000L,
        500_000_000L,
        1_000_000_000L,
        2_500_000_000L,
        5_000_000_000L,
        10_000_000_000L,
        30_000_000_000L
    };

    /** How many buckets there are, the unbounded one included. */
    static final int COUNT = BOUNDS.length + 1;

    private DurationBuckets() {}

    /** The bucket of a duration. Most are short, so looking from below finds it within a few steps. */
    static int of(long nanos) {
        int bucket = 0;
        while (bucket < BOUNDS.length && nanos > BOUNDS[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /** Upper bounds in seconds, as Prometheus wants them: the last one is infinite. */
    static double[] seconds() {
        return HistogramRows.seconds(BOUNDS);
    }
}
