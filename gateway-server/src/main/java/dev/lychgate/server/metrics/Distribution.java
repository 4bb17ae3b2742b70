package dev.lychgate.server.metrics;

import java.util.Arrays;

/** How many of something fell into which bucket, since the series began. Immutable. */
public final class Distribution {
    private final long count;
    private final double sum;
    private final double[] bounds;
    private final long[] counts;

    /**
     * As {@link #count}, {@link #sum}, {@link #bounds} and {@link #counts} say.
     *
     * @param bounds not to be changed any more
     * @param counts likewise
     */
    public Distribution(long count, double sum, double[] bounds, long[] counts) {
        this.count = count;
        this.sum = sum;
        this.bounds = bounds;
        this.counts = counts;
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

    /** How many fell into the buckets since {@code earlier} was true, which begins anew if the series did. */
    public long[] since(long[] earlier) {
        long[] since = counts.clone();
        if (earlier.length != counts.length) {
            return since;
        }
        for (int i = 0; i < since.length; i++) {
            since[i] -= earlier[i];
            if (since[i] < 0) {
                return counts.clone();
            }
        }
        return since;
    }

    /**
     * Estimates the value that a share of those in {@code buckets} don't exceed: within a bucket they are taken to lie
     * evenly. Of those above the last bound no more is said than that bound.
     *
     * @param share 0 to 1
     * @return NaN if there are none
     */
    public double percentile(double share, long[] buckets) {
        long all = Arrays.stream(buckets).sum();
        if (all == 0) {
            return Double.NaN;
        }
        double rank = share * all;
        long below = 0;
        for (int i = 0; i < bounds.length; i++) {
            if (buckets[i] > 0 && below + buckets[i] >= rank) {
                double from = i == 0 ? 0 : bounds[i - 1];
                return from + (bounds[i] - from) * (rank - below) / buckets[i];
            }
            below += buckets[i];
        }
        return bounds[bounds.length - 1];
    }

    /** NaN if there were none. */
    public double mean() {
        return count == 0 ? Double.NaN : sum / count;
    }
}
