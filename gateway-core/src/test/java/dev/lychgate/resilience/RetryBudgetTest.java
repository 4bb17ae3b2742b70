package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of permitted retries. */
class RetryBudgetTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;

    private static RetryBudget budget(int percent, int minimum, int loops) {
        return new RetryBudget(new RetryBudgetConfig(new Percent(percent), minimum), loops);
    }

    private static int takeAll(RetryBudget.LoopView view, long now) {
        int taken = 0;
        while (view.tryTake(now)) {
            taken++;
        }
        return taken;
    }

    @Test
    void isAShareOfTheFirstAttempts() {
        RetryBudget.LoopView loop = budget(20, 0, 1).onLoop(0);
        for (int i = 0; i < 100; i++) {
            loop.sent(i * MS);
        }

        assertThat(takeAll(loop, 100 * MS)).isEqualTo(20);
    }

    @Test
    void theRemainderIsTheShareOfAllLoopsOrTheMinimum() {
        RetryBudget shares = budget(20, 0, 2);
        RetryBudget atLeast = budget(20, 3, 2);
        for (int i = 0; i < 50; i++) {
            shares.onLoop(i % 2).sent(0);
        }
        assertThat(shares.left(0)).isEqualTo(10);
        assertThat(shares.onLoop(0).tryTake(0)).isTrue();
        assertThat(shares.left(0)).isEqualTo(9);
        assertThat(takeAll(shares.onLoop(0), 0) + takeAll(shares.onLoop(1), 0)).isEqualTo(9);
        assertThat(shares.left(0)).isZero();

        assertThat(atLeast.left(0)).isEqualTo(3);
        assertThat(takeAll(atLeast.onLoop(1), 0)).isEqualTo(3);
        assertThat(atLeast.left(0)).isZero();
        assertThat(atLeast.left(SECOND)).isEqualTo(3);
    }

    @Test
    void isForgottenAfterTenSeconds() {
        RetryBudget.LoopView loop = budget(20, 0, 1).onLoop(0);
        for (int i = 0; i < 100; i++) {
            loop.sent(i * MS);
        }

        assertThat(takeAll(loop, 11 * SECOND)).isZero();
    }

    @Test
    void theMinimumHelpsWhereThereIsLittleTraffic() {
        RetryBudget.LoopView loop = budget(20, 3, 1).onLoop(0);
        int taken = 0;
        for (int i = 0; i < 100; i++) {
            loop.sent(i * 100L * MS);
            taken += takeAll(loop, i * 100L * MS);
        }

        // Three a second over 10 s, up to a second's worth of them at once at the beginning, and one of the share.
        assertThat(taken).isBetween(30, 36);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 64})
    void theMinimumIsOneForAllLoopsHoweverManyThereAre(int loops) {
        RetryBudget budget = budget(20, 3, loops);
        int taken = 0;
        for (int tick = 0; tick < 100; tick++) {
            for (int loop = 0; loop < loops; loop++) {
                taken += takeAll(budget.onLoop(loop), tick * 100L * MS);
            }
        }

        assertThat(taken).isBetween(30, 33);
    }

    @Test
    void theMinimumDoesNotComeOnTopOfTheShare() {
        RetryBudget.LoopView loop = budget(20, 3, 1).onLoop(0);
        for (int i = 0; i < 1000; i++) {
            loop.sent(0);
        }

        assertThat(takeAll(loop, 0)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 64})
    void theSharesOfAllLoopsAreTheShareOfTheWhole(int loops) {
        RetryBudget budget = budget(20, 0, loops);
        int sent = 0;
        int taken = 0;
        for (int i = 0; i < 64_000; i++) {
            // An eighth of the loops has half of the traffic.
            int loop = i % 2 == 0 ? i / 2 % loops : i / 2 % Math.max(1, loops / 8);
            budget.onLoop(loop).sent(i * MS / 8);
            sent++;
            taken += takeAll(budget.onLoop(loop), i * MS / 8);
        }

        assertThat(taken / (double) sent).isBetween(0.19, 0.2);
    }
}
