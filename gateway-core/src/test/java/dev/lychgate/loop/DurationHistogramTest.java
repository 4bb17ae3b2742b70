package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class DurationHistogramTest {
    private static final double[] SHARES = {0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1};
    private static final long HOUR = 3_600_000_000_000L;

    private static DurationHistogram of(long... nanos) {
        DurationHistogram histogram = new DurationHistogram();
        for (long each : nanos) {
            histogram.record(each);
        }
        return histogram;
    }

    /** Any length from 16 µs to an hour, each order of magnitude as often as the others. */
    private static long[] durations(long seed, int count) {
        Random random = new Random(seed);
        return LongStream.generate(() -> (long) (16_384 * Math.pow(HOUR / 16_384.0, random.nextDouble())))
                .limit(count)
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1_000, 100_000})
    void keepsEachPercentileWithinTheStatedErrorAndTheRecordedValues(int count) {
        for (long seed = 0; seed < 20; seed++) {
            long[] sorted = durations(seed, count);
            DurationHistogram histogram = of(sorted);
            Arrays.sort(sorted);
            for (double share : SHARES) {
                double exact = sorted[(int) Math.ceil(share * count) - 1] / 1e9;
                assertThat(histogram.percentile(share))
                        .as("seed %d, share %s", seed, share)
                        .isCloseTo(exact, within(exact * DurationHistogram.MAX_ERROR_PERCENT / 100))
                        .isLessThanOrEqualTo(sorted[count - 1] / 1e9)
                        .isGreaterThanOrEqualTo(sorted[0] / 1e9 * 0.999);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 511, 512, 16_383, 16_384, 1_000_000, 20_000_000, HOUR})
    void countsTheDurationsAboveTheBucketOfABound(long bound) {
        long[] all = durations(3, 10_000);
        DurationHistogram histogram = of(all);
        long above = histogram.countAbove(bound);

        assertThat(above)
                .isLessThanOrEqualTo(
                        Arrays.stream(all).filter(each -> each > bound).count());
        assertThat(above)
                .isGreaterThanOrEqualTo(Arrays.stream(all)
                        .filter(each -> each > bound * (1 + DurationHistogram.MAX_ERROR_PERCENT / 100) + 512)
                        .count());
    }

    @Test
    void reportsEqualDurationsAsTheyAre() {
        long[] equal = new long[1_000];
        Arrays.fill(equal, 801_234_567L);
        for (double share : SHARES) {
            assertThat(of(equal).percentile(share))
                    .isCloseTo(0.801234567, within(0.0005))
                    .isLessThanOrEqualTo(0.801234567);
        }
    }

    @Test
    void keepsShortDurationsWithinHalfAMicrosecond() {
        for (long nanos : new long[] {0, 1, 511, 512, 1_000, 5_120, 16_383}) {
            assertThat(of(nanos).percentile(0.99)).isCloseTo(nanos / 1e9, within(512e-9));
        }
    }

    @Test
    void countsDurationsBeyondItsRangeAtItsEnds() {
        assertThat(of(Long.MAX_VALUE).percentile(0.5)).isCloseTo(4398, within(70.0));
        assertThat(of(-5).percentile(0.5)).isZero();
        assertThat(of(Long.MAX_VALUE, -5, 1).count()).isEqualTo(3);
    }

    @Test
    void hasNoPercentilesOfNothing() {
        assertThat(new DurationHistogram().percentile(0.99)).isNaN();
        assertThat(of(5).since(of(5)).percentile(0.99)).isNaN();
    }

    @Test
    void coversOnlyTheDurationsSinceAnEarlierCopy() {
        long[] first = durations(1, 5_000);
        long[] second = durations(2, 3_000);
        DurationHistogram all = of(first);
        all.add(of(second));
        DurationHistogram since = all.since(of(first));
        assertThat(since.count()).isEqualTo(3_000);
        for (double share : SHARES) {
            assertThat(since.percentile(share)).isEqualTo(of(second).percentile(share));
        }
        assertThat(all.count()).as("the histogram itself is unchanged").isEqualTo(8_000);
    }

    @Test
    void staysPreciseWhenItsCountsWrapAround() {
        DurationHistogram earlier = of(1_000_000);
        for (int doubling = 0; doubling < 32; doubling++) {
            DurationHistogram same = new DurationHistogram();
            same.add(earlier);
            earlier.add(same);
        }
        DurationHistogram now = new DurationHistogram();
        now.add(earlier);
        now.record(1_010_000);
        assertThat(now.since(earlier).count()).isEqualTo(1);
        assertThat(now.since(earlier).percentile(1)).isCloseTo(0.00101, within(1e-6));
    }

    @Test
    void takesNoMoreRowsThanItStates() {
        DurationHistogram histogram = of(durations(3, 100_000));
        histogram.record(0);
        histogram.record(Long.MAX_VALUE);
        assertThat(DurationHistogram.ROWS * DurationHistogram.ROW_BYTES).isLessThan(8 * 1024);
        assertThat(rowsInUse(histogram)).isBetween(25L, (long) DurationHistogram.ROWS);
        assertThat(rowsInUse(of(700_000, 900_000, 1_000_000))).isEqualTo(1);
    }

    private static long rowsInUse(DurationHistogram histogram) {
        return Arrays.stream(histogram.rows).filter(Objects::nonNull).count();
    }
}
