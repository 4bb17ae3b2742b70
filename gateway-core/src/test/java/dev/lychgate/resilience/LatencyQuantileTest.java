package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The duration of most responses. */
class LatencyQuantileTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;

    private final LatencyQuantile latency = new LatencyQuantile();

    @Test
    void hasNoValueBeforeEnoughSamples() {
        for (int i = 0; i < 99; i++) {
            latency.record(MS, 0);
        }
        assertThat(latency.of(95)).isEqualTo(-1);

        latency.record(MS, 0);
        assertThat(latency.of(95)).isBetween(MS, MS * 5 / 4);
    }

    @Test
    void isNeverBelowAndAtMostAQuarterAboveTheActualValue() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 100_000; i++) {
            latency.record(random.nextLong(100 * MS), i);
        }

        assertThat(latency.of(50)).isBetween(49 * MS, 63 * MS);
        assertThat(latency.of(95)).isBetween(94 * MS, 119 * MS);
    }

    @Test
    void isNeverAboveTheLongestSample() {
        for (int i = 0; i < 1000; i++) {
            latency.record(801 * MS, 0);
        }
        assertThat(latency.of(50)).isEqualTo(801 * MS);
        assertThat(latency.of(99)).isEqualTo(801 * MS);
        latency.record(2 * SECOND, 0);
        assertThat(latency.of(99)).isBetween(801 * MS, 1001 * MS);
    }

    @Test
    void forgetsWhatIsAMinuteOld() {
        for (int i = 0; i < 1000; i++) {
            latency.record(SECOND, 0);
        }
        for (int i = 0; i < 1000; i++) {
            latency.record(MS, 31 * SECOND);
        }
        assertThat(latency.of(95)).isEqualTo(SECOND);
        for (int i = 0; i < 1000; i++) {
            latency.record(MS, 62 * SECOND);
        }
        assertThat(latency.of(95)).isLessThan(2 * MS);
    }

    @Test
    void everyLengthLiesInItsClass() {
        for (long nanos = 1; nanos < 60 * SECOND; nanos = nanos * 11 / 10 + 1) {
            int bucket = LatencyBuckets.of(nanos);
            assertThat(LatencyBuckets.end(bucket)).isGreaterThan(nanos);
            assertThat(bucket == 0 || LatencyBuckets.end(bucket - 1) <= nanos).isTrue();
        }
        assertThat(LatencyBuckets.of(Long.MAX_VALUE)).isEqualTo(LatencyBuckets.COUNT - 1);
    }
}
