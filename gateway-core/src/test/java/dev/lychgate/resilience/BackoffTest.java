package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The delays before attempts. */
class BackoffTest {
    @ParameterizedTest
    @CsvSource({"1, 25", "2, 50", "3, 100", "4, 200", "5, 250", "63, 250", "1000, 250"})
    void anyLengthUpToATimeThatDoublesIsEquallyLikely(int attempts, long longest) {
        Backoff backoff = new Backoff(25, 250);
        SplittableRandom random = new SplittableRandom(7);
        long sum = 0;
        long highest = 0;
        int n = 100_000;
        for (int i = 0; i < n; i++) {
            long delay = backoff.delay(attempts, random);
            assertThat(delay).isBetween(0L, longest);
            sum += delay;
            highest = Math.max(highest, delay);
        }

        assertThat(highest).isEqualTo(longest);
        assertThat(sum / (double) n).isBetween(longest * 0.49, longest * 0.51);
    }
}
