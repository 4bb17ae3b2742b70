package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuietPeriodsTest {
    private final QuietPeriods periods = new QuietPeriods();

    @Test
    void limitsEachKindSeparately() {
        assertThat(periods.tell("a", 0)).isEmpty();
        assertThat(periods.tell("a", 1)).isNull();
        assertThat(periods.tell("b", 2)).isEmpty();
        assertThat(periods.tell("a", TimeUnit.SECONDS.toNanos(10))).isEqualTo("; suppressed similar lines: 1");
    }

    @Test
    void kindsBeyondTheMaximumShareOneLimit() {
        for (int i = 0; i < QuietPeriods.MOST; i++) {
            assertThat(periods.tell("kind" + i, 0)).isEmpty();
        }
        assertThat(periods.tell("one more", 0)).isEmpty();
        assertThat(periods.tell("yet another", 0)).isNull();
        assertThat(periods.tell("kind0", TimeUnit.SECONDS.toNanos(10))).isEmpty();
    }
}
