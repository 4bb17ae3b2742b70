package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.StallConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stall time of an event loop, by samples of a clock that the test advances. */
class LoopProgressTest {
    private final LoopProgress loop = new LoopProgress(0, 0);
    private long now;
    private long sweeps;

    private Progress look(StallConfig limits) {
        now += LoopProgress.LOOK;
        return loop.look(sweeps, now, limits);
    }

    private Progress lookFor(Duration time, StallConfig limits) {
        Progress last = loop.now();
        for (long end = now + time.toNanos(); now < end; ) {
            last = look(limits);
        }
        return last;
    }

    @Test
    void isJudgedByTheTimeWithoutASweep() {
        assertThat(lookFor(Duration.ofMillis(900), StallConfig.DEFAULT)).isEqualTo(Progress.MOVING);
        assertThat(lookFor(Duration.ofMillis(100), StallConfig.DEFAULT)).isEqualTo(Progress.STALLED);
        assertThat(lookFor(Duration.ofMillis(3_900), StallConfig.DEFAULT)).isEqualTo(Progress.STALLED);
        assertThat(lookFor(Duration.ofMillis(100), StallConfig.DEFAULT)).isEqualTo(Progress.NOT_READY);
        assertThat(lookFor(Duration.ofMillis(54_900), StallConfig.DEFAULT)).isEqualTo(Progress.NOT_READY);
        assertThat(lookFor(Duration.ofMillis(100), StallConfig.DEFAULT)).isEqualTo(Progress.GIVEN_UP);
    }

    @Test
    void neverExitsIfTheExitIsZero() {
        StallConfig patient = new StallConfig(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ZERO);

        assertThat(lookFor(Duration.ofHours(1), patient)).isEqualTo(Progress.NOT_READY);
    }

    @Test
    void movesAgainWithTheNextSweep() {
        lookFor(Duration.ofSeconds(10), StallConfig.DEFAULT);
        sweeps++;

        assertThat(look(StallConfig.DEFAULT)).isEqualTo(Progress.MOVING);
        assertThat(loop.still()).isZero();
    }

    @Test
    void isNotBlamedWhileTheWholeProcessWasStopped() {
        now += Duration.ofHours(1).toNanos();

        assertThat(loop.look(sweeps, now, StallConfig.DEFAULT)).isEqualTo(Progress.MOVING);
        assertThat(loop.still()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void isLoggedAfterOneTenAndSixtySecondsAndThenEveryMinute() {
        List<Long> seconds = new ArrayList<>();
        while (now < Duration.ofSeconds(190).toNanos()) {
            look(StallConfig.DEFAULT);
            if (loop.isLineDue()) {
                seconds.add(loop.still().toSeconds());
            }
        }

        assertThat(seconds).containsExactly(1L, 10L, 60L, 120L, 180L);
    }

    @Test
    void isLoggedFromTheFirstSecondOnWhenItStandsStillAnew() {
        lookFor(Duration.ofSeconds(11), StallConfig.DEFAULT);
        assertThat(loop.isLineDue()).isTrue();
        sweeps++;
        look(StallConfig.DEFAULT);
        lookFor(Duration.ofSeconds(1), StallConfig.DEFAULT);

        assertThat(loop.isLineDue()).isTrue();
        assertThat(loop.isLineDue()).isFalse();
    }
}
