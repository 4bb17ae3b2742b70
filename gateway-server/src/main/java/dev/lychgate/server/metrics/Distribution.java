package dev.lychgate.server.metrics;

import dev.lychgate.loop.DurationHistogram;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How many of something fell into which bucket, since the series began. Immutable. */
public final class Distribution {
    /** Nothing. */
    public static final Distribution EMPTY = new Distribution(0, 0, new double[0], new long[0], null);

    private final long count;
    private final double sum;
    private final double[] bounds;
    private final long[] counts;
    private final @Nullable DurationHistogram precise;

    /**
     * As {@link #count}, {@link #sum}, {@link #bounds} and {@link #counts} say.
     *
     * @param bounds not to be changed any more
     * @param counts likewise
     * @param precise the same values in narrower buckets, likewise; null if there are none
     */
    public Distribution(long count, double sum, double[] bounds, long[] counts, @Nullable DurationHistogram precise) {
        this.count = count;
        this.sum = sum;
        this.bounds = bounds;
        this.counts = counts;
        this.precise = precise;
    }

    /** How many there were. */
    public long count() {
        return count;
    }

    /** The sum of all of them, in the unit of the family. */
    public double sum() {
        return sum;
    }

    /** Whether it is known how large they were. */
    public boolean hasBuckets() {
        return counts.length > 0;
    }

    /** Upper bounds of the buckets, inclusive, ascending, without the infinite one; empty if there are no buckets. */
    public double[] bounds() {
        return bounds.clone();
    }

    /** How many per bucket, not added up: one number more than bounds; empty if there are no buckets. */
    public long[] counts() {
        return counts.clone();
    }

    /** Returns what has come since {@code earlier} was true: all of it if the series began anew in between. */
    public Distribution since(Distribution earlier) {
        if (earlier.counts.length != counts.length) {
            return this;
        }
        long[] since = counts.clone();
        for (int i = 0; i < since.length; i++) {
            since[i] -= earlier.counts[i];
            if (since[i] < 0) {
                return this;
            }
        }
        DurationHistogram narrow =
                precise == null || earlier.precise == null ? precise : precise.since(earlier.precise);
        return new Distribution(count - earlier.count, sum - earlier.sum, bounds, since, narrow);
    }

    /**
     * Returns the value that a share of those in the buckets do not exceed. Where only wide buckets are known it is an
     * estimate: values are assumed to lie evenly within their bucket, and those above the last bound count as that bound.
     *
     * @param share 0 to 1
     * @return NaN if there are none
     */
    public double percentile(double share) {
        return precise != null ? precise.percentile(share) : estimated(share);
    }

    private double estimated(double share) {
        long all = Arrays.stream(counts).sum();
        if (all == 0) {
            return Double.NaN;
        }
        double rank = share * all;
        long below = 0;
        for (int i = 0; i < bounds.length; i++) {
            if (counts[i] > 0 && below + counts[i] >= rank) {
                double from = i == 0 ? 0 : bounds[i - 1];
                return from + (bounds[i] - from) * (rank - below) / counts[i];
            }
            below += counts[i];
        }
        return bounds[bounds.length - 1];
    }

    /** NaN if there were none. */
    public double mean() {
        return count == 0 ? Double.NaN : sum / count;
    }
}
