package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.OverloadConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests that are rejected during overload: from 200 ms, 90 % of direct memory, 95 % of the heap. */
class LoadSheddingTest {
    private static final long MS = 1_000_000;

    private final LoadShedding shedding = new LoadShedding(OverloadConfig.DEFAULT);
    private long now;

    private void observe(int times, long lagMillis, double direct, double heap) {
        for (int i = 0; i < times; i++) {
            now += 100 * MS;
            shedding.observe(lagMillis * MS, direct, heap, now);
        }
    }

    @ParameterizedTest(name = "lag {0} ms, direct {1}, heap {2}: below priority {3}")
    @CsvSource({
        "0, 0, 0, 0",
        "199, 0.89, 0.94, 0",
        "200, 0, 0, 1",
        "400, 0, 0, 3",
        "600, 0, 0, 5",
        "1000, 0, 0, 9",
        "60000, 0, 0, 9",
        "0, 0.90, 0, 1",
        "0, 0.951, 0, 5",
        "0, 1.00, 0, 9",
        "0, 0, 0.951, 1",
        "0, 0, 1, 9",
        "400, 0.951, 0, 5"
    })
    void theWorstMeasureSaysHowMuch(long lag, double direct, double heap, int level) {
        observe(2, lag, direct, heap);

        assertThat(shedding.level).isEqualTo(level);
        for (int priority = 0; priority <= 9; priority++) {
            assertThat(shedding.sheds(priority)).isEqualTo(priority < level);
        }
    }

    @Test
    void theHighestPriorityIsNeverRefused() {
        observe(100, 100_000, 1, 1);

        assertThat(shedding.sheds(9)).isFalse();
        assertThat(shedding.sheds(8)).isTrue();
    }

    @Test
    void onePauseIsNoOverload() {
        observe(1, 0, 0, 0);
        observe(1, 900, 0, 0);
        observe(1, 0, 0, 0);

        assertThat(shedding.level).isZero();
    }

    @Test
    void fallsStepByStepAndNotBeforeASecondIsOver() {
        observe(2, 400, 0, 0);
        assertThat(shedding.level).isEqualTo(3);
        observe(9, 0, 0, 0);
        assertThat(shedding.level).isEqualTo(3);
        observe(1, 0, 0, 0);
        assertThat(shedding.level).isEqualTo(2);
        observe(20, 0, 0, 0);
        assertThat(shedding.level).isZero();
    }

    @Test
    void doesNotFlutterAboutTheThreshold() {
        int changes = 0;
        int before = 0;
        for (int i = 0; i < 1000; i++) {
            observe(1, i % 4 < 2 ? 205 : 195, 0.895, 0);
            changes += shedding.level == before ? 0 : 1;
            before = shedding.level;
        }

        assertThat(changes).isOne();
        assertThat(shedding.level).isOne();
    }
}
