package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether counts fit expected shares: Pearson's test. */
final class ChiSquare {
    /** The standard normal's quantile for 0.999: one true distribution of a thousand is refused, and seeds are fixed. */
    private static final double QUANTILE = 3.09;

    private ChiSquare() {}

    static void assertFits(long[] counts, double... weights) {
        double all = 0;
        double weight = 0;
        for (int i = 0; i < counts.length; i++) {
            all += counts[i];
            weight += weights[i];
        }
        double statistic = 0;
        for (int i = 0; i < counts.length; i++) {
            double expected = all * weights[i] / weight;
            statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        assertThat(statistic).as("chi-square").isLessThan(critical(counts.length - 1));
    }

    /** Wilson and Hilferty's approximation. */
    private static double critical(int degrees) {
        double v = 2.0 / (9 * degrees);
        return degrees * Math.pow(1 - v + QUANTILE * Math.sqrt(v), 3);
    }
}
