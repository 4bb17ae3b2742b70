package dev.lychgate.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowStartTest {
    private static final long WINDOW = Duration.ofSeconds(20).toNanos();

    @ParameterizedTest(name = "after {0} s: {1}")
    @CsvSource({"0, 0.1", "1, 0.1", "3, 0.15", "10, 0.5", "19, 0.95", "20, 1", "9999, 1"})
    void theShareGrowsEvenlyFromATenthToAll(long seconds, double factor) {
        assertThat(SlowStart.factor(Duration.ofSeconds(seconds).toNanos(), WINDOW))
                .isEqualTo(factor, within(1e-9));
    }

    @Test
    void growsInStepsWithTheTimeOfTheNextOne() {
        long elapsed = 0;
        double before = 0;
        int steps = 0;
        while (SlowStart.untilNextStep(elapsed, WINDOW) != Long.MAX_VALUE) {
            double factor = SlowStart.factor(elapsed, WINDOW);
            assertThat(factor).isGreaterThanOrEqualTo(before);
            before = factor;
            elapsed += SlowStart.untilNextStep(elapsed, WINDOW);
            steps++;
        }
        assertThat(elapsed).isEqualTo(WINDOW);
        assertThat(steps).isEqualTo(20);
    }

    @Test
    void withoutAWindowTheFullWeightAppliesAtOnce() {
        assertThat(SlowStart.factor(0, 0)).isEqualTo(1);
        assertThat(SlowStart.untilNextStep(0, 0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aLateClockHasNoEffect() {
        assertThat(SlowStart.factor(-5, WINDOW)).isEqualTo(0.1);
        assertThat(SlowStart.untilNextStep(-5, WINDOW)).isPositive();
    }
}
