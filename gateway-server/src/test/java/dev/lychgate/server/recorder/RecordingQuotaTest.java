package dev.lychgate.server.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The number of recorded exchanges of each kind during continuous failures. */
class RecordingQuotaTest {
    private final RecordingQuota quota = new RecordingQuota();
    private long now = 1;

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Many exchanges of each of {@code kinds} kinds. */
    private int storm(int kinds, int exchanges) {
        int recorded = 0;
        for (int i = 0; i < exchanges; i++) {
            for (int kind = 0; kind < kinds; kind++) {
                if (quota.tryTake(kind * 31 + 7, now)) {
                    recorded++;
                }
            }
        }
        return recorded;
    }

    @Test
    void aKindHasABurstAndThenFourPerSecond() {
        assertThat(storm(1, 100)).isEqualTo(16);
        pass(1_000);
        assertThat(storm(1, 100)).isEqualTo(4);
    }

    @Test
    void aRareFailureIsRecordedWhileManyKindsUseUpTheTotal() {
        for (int second = 0; second < 60; second++) {
            storm(20, 100);
            assertThat(quota.tryTake("rare".hashCode() + second, now)).isTrue();
            pass(1_000);
        }
    }

    @Test
    void aKindThatReturnsAfterAPauseIsRareAgain() {
        assertThat(quota.tryTake("rare".hashCode(), now)).isTrue();
        storm(20, 100);
        assertThat(quota.tryTake("rare".hashCode(), now)).isFalse();
        pass(4_000);
        storm(20, 100);
        assertThat(quota.tryTake("rare".hashCode(), now)).isTrue();
    }

    @Test
    void manyConcurrentKindsStayWithinABound() {
        int recorded = storm(10_000, 1);
        assertThat(recorded).isEqualTo(128 + 32);
        pass(1_000);
        assertThat(storm(10_000, 2)).isBetween(40, 50);
    }
}
