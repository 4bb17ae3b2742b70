package dev.lychgate.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static int takeAll(Allowance allowance, long now) {
        int taken = 0;
        while (taken < 10_000 && allowance.take(now)) {
            taken++;
        }
        return taken;
    }

    @Test
    void limitsTheNumberAtOnce() {
        assertThat(takeAll(new Allowance(200, 10, 0), 0)).isEqualTo(200);
    }

    @Test
    void refillsOverTimeUpToTheMaximum() {
        Allowance allowance = new Allowance(100, 10, 0);
        takeAll(allowance, 0);
        // One request was refused.
        assertThat(takeAll(allowance, 2 * SECOND)).isEqualTo(19);
        assertThat(takeAll(allowance, 1000 * SECOND)).isEqualTo(100);
    }

    @Test
    void returnedPermitsCountUpToTheMaximum() {
        Allowance allowance = new Allowance(10, 0, 0);
        takeAll(allowance, 0);
        allowance.give(4);
        assertThat(takeAll(allowance, 0)).isEqualTo(3);
        allowance.give(1000);
        assertThat(takeAll(allowance, 0)).isEqualTo(10);
    }

    @Test
    void aClockThatStandsStillOrGoesBackGivesNothing() {
        Allowance allowance = new Allowance(10, 10, 5 * SECOND);
        assertThat(takeAll(allowance, 0)).isEqualTo(10);
    }
}
