package dev.lychgate.server.metrics;

import dev.lychgate.config.MetricsConfig;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * The buckets of a duration histogram of Prometheus. Histograms of several gateways can be added only if the boundaries
 * of their buckets are equal. Immutable.
 */
public final class DurationBuckets {
    static final DurationBuckets DEFAULT = new DurationBuckets(MetricsConfig.DEFAULT_BUCKETS);

    /** Upper bounds in nanoseconds, inclusive; longer durations are counted in one further bucket. */
    private final long[] bounds;

    /** @param bounds inclusive upper bounds, ascending */
    public DurationBuckets(List<Duration> bounds) {
        this(bounds.stream().mapToLong(Duration::toNanos).toArray());
    }

    /** @param bounds inclusive upper bounds in nanoseconds, ascending; must not be modified afterwards */
    DurationBuckets(long[] bounds) {
        this.bounds = bounds;
    }

    /** Returns the number of buckets, including the bucket without an upper bound. */
    int count() {
        return bounds.length + 1;
    }

    /**
     * Returns the index of the bucket of a duration. Most durations are short, so a search from the lowest bucket ends
     * within a few steps.
     */
    int of(long nanos) {
        int bucket = 0;
        while (bucket < bounds.length && nanos > bounds[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /** Returns the upper bounds in seconds; the last bound is infinite. */
    double[] seconds() {
        DoubleStream finite = LongStream.of(bounds).mapToDouble(nanos -> nanos / 1e9);
        return DoubleStream.concat(finite, DoubleStream.of(Double.POSITIVE_INFINITY))
                .toArray();
    }
}
