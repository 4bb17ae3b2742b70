package dev.lychgate.resilience;

import static dev.lychgate.resilience.Simulation.MS;
import static dev.lychgate.resilience.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thousand clients' requests a second for a minute, an origin that is down for some of it, three retries allowed: the number
 * that reaches the origin, and the time of the recovery.
 */
class RetryStormTest {
    private static final int CLIENT_RATE = 1000;
    private static final GatewayError RESET = GatewayError.upstream(ErrorKind.ORIGIN_RESET, Retry.NEVER, "test");
    private static final RetryPolicy THREE_RETRIES = RetryPolicy.of(new RetryConfig(
            4,
            List.of("reset"),
            Duration.ZERO,
            RetryConfig.Backoff.DEFAULT,
            Duration.ZERO,
            ByteSize.ofKiB(0),
            false,
            null));

    private final Simulation time = new Simulation();
    private final SplittableRandom random = new SplittableRandom(3);
    private long downFrom;
    private long downUntil;
    private int requests;
    private int attempts;
    private int answered;
    private final int[] attemptsPerTenth = new int[1000];
    private final int[] answeredPerTenth = new int[1000];

    /** The gateway as it will use the policies: budget, guards, attempt, decision. */
    private void serve(int rate, int loops, boolean withBreaker, long end) {
        RetryBudget budget = new RetryBudget(RetryBudgetConfig.DEFAULT, loops);
        CircuitBreaker breaker = new CircuitBreaker(BreakerConfig.DEFAULT, loops);
        List<Guards> guards = new ArrayList<>();
        for (int i = 0; i < loops; i++) {
            guards.add(withBreaker ? Guards.of(List.of(breaker.onLoop(i))) : Guards.NONE);
        }
        time.every(rate, end, () -> {
            int loop = requests++ % loops;
            budget.onLoop(loop).sent(time.now());
            attempt(1, guards.get(loop), budget.onLoop(loop));
        });
        time.runUntil(end + 5 * SECOND);
    }

    private void attempt(int number, Guards guards, RetryBudget.LoopView budget) {
        Admission admission = new Admission(null);
        if (!admission.enter(guards, time.now())) {
            return;
        }
        attempts++;
        attemptsPerTenth[(int) (time.now() / (100 * MS))]++;
        boolean fails = time.now() >= downFrom && time.now() < downUntil;
        time.after(5 * MS, () -> {
            admission.leave(fails ? Ending.FAILURE : Ending.SUCCESS, time.now());
            if (!fails) {
                answered++;
                answeredPerTenth[(int) (time.now() / (100 * MS))]++;
                return;
            }
            FailedAttempt failed =
                    new FailedAttempt(RESET, 0, HttpMethod.GET, number, false, false, true, false, 0, Long.MAX_VALUE);
            if (THREE_RETRIES.decide(failed, budget, time.now()) == RetryDecision.RETRY) {
                time.after(THREE_RETRIES.delay(failed, random), () -> attempt(number + 1, guards, budget));
            }
        });
    }

    @ParameterizedTest(name = "{0} requests a second on {1} loops")
    @CsvSource({"1000, 1", "1000, 4", "1000, 16", "100, 4"})
    void theBudgetAloneKeepsADeadOriginAtSixFifthsOfTheClientsRequests(int rate, int loops) {
        downUntil = Long.MAX_VALUE;
        serve(rate, loops, false, 60 * SECOND);

        assertThat(requests).isGreaterThan(59 * rate);
        assertThat(attempts / (double) requests).isBetween(1.15, 1.2);
    }

    @Test
    void withTheBreakerADeadOriginGetsAlmostNoRequests() {
        downUntil = Long.MAX_VALUE;
        serve(CLIENT_RATE, 4, true, 60 * SECOND);

        assertThat(attempts / (double) requests).isLessThan(0.01);
    }

    @Test
    void whileTheOriginIsDownOneProbeIsSentEveryFiveSeconds() {
        downUntil = Long.MAX_VALUE;
        serve(CLIENT_RATE, 4, true, 60 * SECOND);
        int afterItOpened = 0;
        for (int i = 10; i < 600; i++) {
            afterItOpened += attemptsPerTenth[i];
            assertThat(attemptsPerTenth[i]).isLessThanOrEqualTo(1);
        }

        assertThat(afterItOpened).isBetween(10, 12);
    }

    @Test
    void aReturningOriginGetsOnlyTheCurrentRequestsOfClients() {
        downUntil = 30 * SECOND;
        serve(CLIENT_RATE, 4, true, 60 * SECOND);
        int most = 0;
        for (int i = 300; i < 600; i++) {
            most = Math.max(most, attemptsPerTenth[i]);
        }

        // No requests were queued during its absence.
        assertThat(most).isLessThanOrEqualTo(CLIENT_RATE / 10 + 2);
    }

    @Test
    void aReturningOriginRecoversWithinTheOpenTimeOfTheCircuit() {
        downUntil = 30 * SECOND;
        serve(CLIENT_RATE, 4, true, 60 * SECOND);

        for (int i = 352; i < 600; i++) {
            assertThat(answeredPerTenth[i]).isGreaterThanOrEqualTo(CLIENT_RATE / 10 - 1);
        }
    }

    @Test
    void rareFailuresAreAllRetried() {
        downFrom = 5 * SECOND;
        downUntil = downFrom + 10 * MS;
        serve(CLIENT_RATE, 4, true, 10 * SECOND);

        assertThat(attempts).isGreaterThanOrEqualTo(requests + 10);
        assertThat(answered).isEqualTo(requests);
    }
}
