package dev.lychgate.loop;

import org.jspecify.annotations.Nullable;

/**
 * Histogram of durations, from which percentiles are computed. It has 32 buckets per doubling of the duration, and
 * stores the count and the mean of each bucket. A percentile is the mean of its bucket, so it lies between the smallest
 * and the largest recorded value. Its error depends on the duration:
 *
 * <ul>
 *   <li>below 16 µs: at most half a microsecond
 *   <li>from 16 µs to 73 minutes: at most {@value #MAX_ERROR_PERCENT} % of the exact percentile
 *   <li>above 73 minutes: unlimited, because longer durations count as 73 minutes
 * </ul>
 *
 * <p>Each doubling has a row of {@value #ROW_BYTES} bytes, which is allocated when its first value is recorded. There
 * are at most {@value #ROWS} rows; ordinary traffic needs about eight. The count of a bucket can overflow after 67
 * million values. After that, only differences between two copies that were made at different times are valid.
 *
 * <p>One thread records. Other threads may {@linkplain #add add} this histogram to another histogram at any time, and
 * may read slightly outdated values.
 */
public final class DurationHistogram {
    /**
     * Upper bound of the relative error of a percentile, in percent. A bucket is at most 1/32 as wide as its smallest
     * value.
     */
    static final double MAX_ERROR_PERCENT = 3.2;

    /** The binary logarithm of the number of buckets per row. A row has 32 buckets. */
    private static final int BITS = 5;

    private static final int BUCKETS = 1 << BITS;
    /**
     * The binary logarithm of the width, in nanoseconds, of the buckets of the first row. These buckets have a width of
     * 512 ns, and the row ends at 16,384 ns.
     */
    private static final int WIDTH = 9;
    /** The binary logarithm of 64. The sum of a bucket's values is stored in units of 1/64 of the bucket's width. */
    private static final int PARTS = 6;

    /** Maximum number of rows: one linear row below 16,384 ns, and one row per doubling up to 2^42 ns. */
    static final int ROWS = 29;

    /** Size of one row in bytes, including the array header. */
    static final int ROW_BYTES = 2 * BUCKETS * Integer.BYTES + 16;

    private static final long LONGEST = (1L << (WIDTH + BITS + ROWS - 1)) - 1;

    /**
     * Each row has two numbers per bucket: the count, and the sum of the differences between the values and the
     * bucket's lower bound.
     */
    final int[] @Nullable [] rows = new int[ROWS][];

    /** Records a duration; negative values count as 0. */
    public void record(long nanos) {
        long value = Math.min(Math.max(nanos, 0), LONGEST);
        int row = row(value);
        int shift = shift(row);
        int cell = ((int) (value >>> shift) & (BUCKETS - 1)) * 2;
        int[] cells = row(rows, row);
        cells[cell]++;
        cells[cell + 1] += (int) (value & ((1L << shift) - 1)) >>> (shift - PARTS);
    }

    private static int row(long value) {
        return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - WIDTH - BITS);
    }

    /** Returns the binary logarithm of the width, in nanoseconds, of a row's buckets. */
    private static int shift(int row) {
        return WIDTH + Math.max(0, row - 1);
    }

    private static int[] row(int[] @Nullable [] rows, int row) {
        int[] cells = rows[row];
        if (cells == null) {
            cells = new int[2 * BUCKETS];
            rows[row] = cells;
        }
        return cells;
    }

    /** Adds the counts of {@code other}. */
    public void add(DurationHistogram other) {
        for (int row = 0; row < ROWS; row++) {
            int[] part = other.rows[row];
            if (part != null) {
                int[] cells = row(rows, row);
                for (int i = 0; i < cells.length; i++) {
                    cells[i] += part[i];
                }
            }
        }
    }

    /**
     * Returns the durations that were recorded since {@code earlier}, which is an earlier copy of this histogram or an
     * empty histogram.
     */
    public DurationHistogram since(DurationHistogram earlier) {
        DurationHistogram since = new DurationHistogram();
        since.add(this);
        for (int row = 0; row < ROWS; row++) {
            int[] part = earlier.rows[row];
            int[] cells = since.rows[row];
            if (part != null && cells != null) {
                for (int i = 0; i < cells.length; i++) {
                    cells[i] -= part[i];
                }
            }
        }
        return since;
    }

    /** Returns the number of recorded durations. */
    public long count() {
        long count = 0;
        for (int[] cells : rows) {
            if (cells != null) {
                for (int i = 0; i < cells.length; i += 2) {
                    count += Integer.toUnsignedLong(cells[i]);
                }
            }
        }
        return count;
    }

    /** Returns the number of recorded durations in the buckets above the bucket that contains {@code nanos}. */
    public long countAbove(long nanos) {
        long value = Math.min(Math.max(nanos, 0), LONGEST);
        int lowest = row(value);
        long count = 0;
        for (int row = lowest; row < ROWS; row++) {
            int[] cells = rows[row];
            int first = row == lowest ? ((int) (value >>> shift(row)) & (BUCKETS - 1)) + 1 : 0;
            for (int i = first; cells != null && i < BUCKETS; i++) {
                count += Integer.toUnsignedLong(cells[2 * i]);
            }
        }
        return count;
    }

    /**
     * Returns the percentile for {@code share}: the duration which this share of the recorded durations does not
     * exceed.
     *
     * @param share 0 to 1
     * @return the duration in seconds; NaN if nothing was recorded
     */
    public double percentile(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count()));
        for (int row = 0; row < ROWS; row++) {
            int[] cells = rows[row];
            for (int i = 0; cells != null && i < cells.length; i += 2) {
                rank -= Integer.toUnsignedLong(cells[i]);
                if (rank <= 0) {
                    return mean(row, i / 2, cells[i], cells[i + 1]);
                }
            }
        }
        return Double.NaN;
    }

    private static double mean(int row, int bucket, int count, int parts) {
        int shift = shift(row);
        long lower = (bucket + (row == 0 ? 0L : BUCKETS)) << shift;
        double above = (double) Integer.toUnsignedLong(parts) / Integer.toUnsignedLong(count);
        return (lower + Math.min(above, 1 << PARTS) * (1L << (shift - PARTS))) / 1e9;
    }
}
