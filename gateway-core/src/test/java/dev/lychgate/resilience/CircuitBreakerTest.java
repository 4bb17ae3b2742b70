package dev.lychgate.resilience;

import static dev.lychgate.resilience.CircuitBreaker.Position.CLOSED;
import static dev.lychgate.resilience.CircuitBreaker.Position.HALF_OPEN;
import static dev.lychgate.resilience.CircuitBreaker.Position.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The opening of a circuit, and its probes. Half of at least 20 in 10 s, then 5 s. */
class CircuitBreakerTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;

    private final CircuitBreaker breaker = new CircuitBreaker(BreakerConfig.DEFAULT, 2);
    private long now = -3 * SECOND;

    private void attempts(int count, Ending ending) {
        for (int i = 0; i < count; i++) {
            Guard guard = breaker.onLoop(i % 2);
            long ticket = guard.tryAcquire(now);
            assertThat(Guard.isRefusal(ticket)).isFalse();
            guard.release(ticket, ending, MS, now);
        }
    }

    private void open() {
        attempts(20, Ending.FAILURE);
        assertThat(breaker.position()).isEqualTo(OPEN);
    }

    @Test
    void opensWhenHalfOfEnoughAttemptsHaveFailedOnAnyLoop() {
        attempts(10, Ending.SUCCESS);
        attempts(9, Ending.FAILURE);
        assertThat(breaker.position()).isEqualTo(CLOSED);

        attempts(1, Ending.TIMEOUT);
        assertThat(breaker.position()).isEqualTo(OPEN);
        assertThat(breaker.onLoop(1).kind()).isEqualTo(ErrorKind.CIRCUIT_OPEN);
    }

    @Test
    void staysClosedWhileLessHasFailed() {
        attempts(11, Ending.SUCCESS);
        attempts(10, Ending.FAILURE);

        assertThat(breaker.position()).isEqualTo(CLOSED);
    }

    @Test
    void forgetsWhatIsOlderThanItsWindow() {
        attempts(19, Ending.FAILURE);
        now += 11 * SECOND;
        attempts(19, Ending.FAILURE);

        assertThat(breaker.position()).isEqualTo(CLOSED);
        assertThat(breaker.attempts(now)).isEqualTo(19);
    }

    @Test
    void whileForcedOpenNoAttemptPassesNotEvenAProbe() {
        breaker.force(Hold.OPEN, now);
        assertThat(breaker.position()).isEqualTo(OPEN);
        now += 3600 * SECOND;
        assertThat(Guard.isRefusal(breaker.onLoop(0).tryAcquire(now))).isTrue();
        assertThat(breaker.isRefusing(now)).isTrue();
        assertThat(breaker.openings()).as("it has not opened").isZero();

        breaker.force(Hold.NONE, now);

        attempts(1, Ending.SUCCESS);
        assertThat(breaker.position()).as("after a probe").isEqualTo(CLOSED);
    }

    @Test
    void whileForcedClosedAllAttemptsPassAndDoNotCountAfterwards() {
        open();
        breaker.force(Hold.CLOSED, now);
        attempts(100, Ending.FAILURE);
        assertThat(breaker.position()).isEqualTo(CLOSED);
        assertThat(breaker.isRefusing(now)).isFalse();
        assertThat(breaker.failures(now)).isEqualTo(100);

        breaker.force(Hold.NONE, now);

        assertThat(breaker.failures(now)).isZero();
        open();
        assertThat(breaker.openings()).isEqualTo(2);
    }

    @Test
    void attemptsFromBeforeAForcedStateHaveNoEffectAfterIt() {
        open();
        now += 6 * SECOND;
        long probe = breaker.onLoop(0).tryAcquire(now);
        assertThat(breaker.position()).isEqualTo(HALF_OPEN);
        breaker.force(Hold.OPEN, now);
        breaker.onLoop(0).release(probe, Ending.SUCCESS, MS, now);
        assertThat(breaker.position()).isEqualTo(OPEN);
        assertThat(breaker.hold()).isEqualTo(Hold.OPEN);
        breaker.force(Hold.OPEN, now);
        assertThat(Guard.isRefusal(breaker.onLoop(1).tryAcquire(now))).isTrue();
    }

    @Test
    void openingsAreCountedAndProbesThatFailAreNone() {
        open();
        assertThat(breaker.openings()).isEqualTo(1);
        now += 6 * SECOND;
        attempts(1, Ending.FAILURE);
        assertThat(breaker.position()).isEqualTo(OPEN);
        assertThat(breaker.openings()).isEqualTo(1);
        now += 6 * SECOND;
        attempts(1, Ending.SUCCESS);
        open();
        assertThat(breaker.openings()).isEqualTo(2);
    }

    @Test
    void disconnectingClientsDoNotCount() {
        attempts(19, Ending.FAILURE);
        attempts(100, Ending.IGNORED);

        assertThat(breaker.position()).isEqualTo(CLOSED);
        assertThat(breaker.attempts(now)).isEqualTo(19);
    }

    @Test
    void reportsTheRemainingTimeWhileOpen() {
        open();
        now += SECOND;

        assertThat(Guard.retryAfter(breaker.onLoop(0).tryAcquire(now))).isEqualTo(4 * SECOND);
        assertThat(breaker.isRefusing(now)).isTrue();
    }

    @Test
    void afterItsTimeExactlyOneProbePasses() {
        open();
        now += 5 * SECOND;
        assertThat(breaker.isRefusing(now)).isFalse();
        int passed = 0;
        for (int i = 0; i < 1000; i++) {
            passed += Guard.isRefusal(breaker.onLoop(i % 2).tryAcquire(now)) ? 0 : 1;
        }

        assertThat(passed).isOne();
        assertThat(breaker.position()).isEqualTo(HALF_OPEN);
    }

    @Test
    void aProbeThatSucceedsClosesAndThePastIsForgotten() {
        open();
        now += 5 * SECOND;
        attempts(1, Ending.SUCCESS);
        assertThat(breaker.position()).isEqualTo(CLOSED);

        attempts(19, Ending.FAILURE);
        assertThat(breaker.position()).isEqualTo(CLOSED);
        attempts(1, Ending.FAILURE);
        assertThat(breaker.position()).isEqualTo(OPEN);
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILURE", "TIMEOUT"})
    void aProbeThatFailsOpensForTheWholeTimeAgain(Ending ending) {
        open();
        now += 6 * SECOND;
        attempts(1, ending);

        assertThat(breaker.position()).isEqualTo(OPEN);
        assertThat(Guard.retryAfter(breaker.onLoop(0).tryAcquire(now))).isEqualTo(5 * SECOND);
    }

    @Test
    void aProbeOfADisconnectedClientFreesThePlaceForTheNext() {
        open();
        now += 5 * SECOND;
        attempts(1, Ending.IGNORED);
        attempts(1, Ending.SUCCESS);

        assertThat(breaker.position()).isEqualTo(CLOSED);
    }

    @Test
    void aProbeThatNeverEndsLosesItsPlaceAndItsEffect() {
        open();
        now += 5 * SECOND;
        long lost = breaker.onLoop(0).tryAcquire(now);
        now += 5 * SECOND;
        long next = breaker.onLoop(1).tryAcquire(now);
        assertThat(Guard.isRefusal(next)).isFalse();

        breaker.onLoop(0).release(lost, Ending.SUCCESS, 5 * SECOND, now);
        assertThat(breaker.position()).isEqualTo(HALF_OPEN);
        breaker.onLoop(1).release(next, Ending.SUCCESS, MS, now);
        assertThat(breaker.position()).isEqualTo(CLOSED);
    }

    @Test
    void attemptsFromBeforeTheOpeningHaveNoEffect() {
        long early = breaker.onLoop(0).tryAcquire(now);
        open();
        now += 5 * SECOND;
        long probe = breaker.onLoop(1).tryAcquire(now);
        breaker.onLoop(0).release(early, Ending.SUCCESS, MS, now);

        assertThat(breaker.position()).isEqualTo(HALF_OPEN);
        breaker.onLoop(1).release(probe, Ending.FAILURE, MS, now);
        assertThat(breaker.position()).isEqualTo(OPEN);
    }

    @Test
    void concurrentThreadsSendOneProbe() throws Exception {
        open();
        now += 5 * SECOND;
        CircuitBreaker many = breaker;
        AtomicInteger passed = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            Guard guard = many.onLoop(i % 2);
            threads[i] = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int n = 0; n < 1000; n++) {
                    if (!Guard.isRefusal(guard.tryAcquire(now))) {
                        passed.incrementAndGet();
                    }
                }
            });
            threads[i].start();
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(passed).hasValue(1);
    }
}
