package dev.lychgate.server.metrics;

import dev.lychgate.loop.DurationHistogram;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of the values of a series: the number of values in each bucket since the series began. The arrays
 * must not be modified.
 *
 * @param sum the sum of all values, in the unit of the family
 * @param bounds the inclusive upper bounds of the buckets, ascending, without infinity; empty if there are no
 *     buckets
 * @param counts the number of values in each bucket, not cumulative. There is one bucket more than there are
 *     bounds; empty if there are no buckets
 * @param precise the values of this distribution in narrower buckets; null if there are no narrower buckets
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Distribution(
        long count,
        double sum,
        double[] bounds,
        long[] counts,
        @Nullable DurationHistogram precise) {
    public static final Distribution EMPTY = new Distribution(0, 0, new double[0], new long[0], null);

    /**
     * Returns whether the distribution has buckets. Without buckets, it contains only the number and the sum of the
     * values.
     */
    public boolean hasBuckets() {
        return counts.length > 0;
    }

    /**
     * Returns the distribution of the values since {@code earlier}. If the series has restarted since then, returns the
     * distribution of all its values.
     */
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
     * Returns a percentile. If there are only wide buckets, the result is an estimate. It assumes that values are
     * evenly distributed within a bucket, and that values above the last bound equal the last bound.
     *
     * @param share 0 to 1
     * @return NaN if there are no values
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

    /** Returns the mean; NaN if there are no values. */
    public double mean() {
        return count == 0 ? Double.NaN : sum / count;
    }
}
