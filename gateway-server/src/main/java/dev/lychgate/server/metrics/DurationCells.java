package dev.lychgate.server.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/**
 * The number of durations per bucket, and their sum. Not thread-safe: an object belongs to one event loop, or is a copy
 * or a sum that one thread uses.
 */
final class DurationCells {
    private final DurationBuckets buckets;
    private final long[] counts;
    private long nanos;

    DurationCells(DurationBuckets buckets) {
        this(buckets, new long[buckets.count()], 0);
    }

    /** @param counts the counts per bucket, not cumulative; must not be modified afterwards */
    DurationCells(DurationBuckets buckets, long[] counts, long nanos) {
        this.buckets = buckets;
        this.counts = counts;
        this.nanos = nanos;
    }

    int count(long duration) {
        int bucket = buckets.of(duration);
        counts[bucket]++;
        nanos += duration;
        return bucket;
    }

    void add(DurationCells other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        nanos += other.nanos;
    }

    DurationCells copy() {
        return new DurationCells(buckets, counts.clone(), nanos);
    }

    boolean isEmpty() {
        for (long count : counts) {
            if (count > 0) {
                return false;
            }
        }
        return true;
    }

    HistogramDataPointSnapshot point(Labels series, Exemplars exemplars) {
        return HistogramDataPointSnapshot.builder()
                .labels(series)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(buckets.seconds(), counts))
                .sum(nanos / 1e9)
                .exemplars(exemplars)
                .build();
    }
}
