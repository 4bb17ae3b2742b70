package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DistributionTest {
    private static final double[] BOUNDS = {1, 2, 5};

    private static Distribution of(long... counts) {
        long all = 0;
        for (long count : counts) {
            all += count;
        }
        return new Distribution(all, 3.0 * all, BOUNDS, counts, null);
    }

    @Test
    void assumesEvenlyDistributedValuesWithinABucket() {
        Distribution even = of(10, 10, 0, 0);
        assertThat(even.percentile(0.5)).isEqualTo(1);
        assertThat(even.percentile(0.25)).isEqualTo(0.5);
        assertThat(even.percentile(0.75)).isEqualTo(1.5);
        assertThat(even.percentile(1)).isEqualTo(2);
        Distribution apart = of(0, 0, 4, 0);
        assertThat(apart.percentile(0.5)).isEqualTo(3.5);
        assertThat(apart.percentile(0.99)).isCloseTo(4.97, within(1e-9));
    }

    @Test
    void reportsAtMostTheLastBound() {
        Distribution slow = of(0, 0, 0, 7);
        assertThat(slow.percentile(0.5)).isEqualTo(5);
    }

    @Test
    void hasNoPercentilesWithoutValues() {
        Distribution nothing = of(0, 0, 0, 0);
        assertThat(nothing.percentile(0.5)).isNaN();
        assertThat(nothing.mean()).isNaN();
    }

    @Test
    void reportsTheDifferenceToAnEarlierState() {
        Distribution now = of(5, 4, 3, 2);
        assertThat(now.since(of(1, 1, 1, 1)).counts()).containsExactly(4, 3, 2, 1);
        assertThat(now.since(Distribution.EMPTY).counts())
                .describedAs("there was no earlier")
                .containsExactly(5, 4, 3, 2);
        assertThat(now.since(of(6, 0, 0, 0)).counts())
                .describedAs("the series has begun anew")
                .containsExactly(5, 4, 3, 2);
        assertThat(now.counts()).containsExactly(5, 4, 3, 2);
    }
}
