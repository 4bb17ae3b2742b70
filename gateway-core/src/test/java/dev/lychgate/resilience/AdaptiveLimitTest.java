package dev.lychgate.resilience;

import static dev.lychgate.resilience.Simulation.MS;
import static dev.lychgate.resilience.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.LimitConfig;
import dev.lychgate.error.ErrorKind;
import org.junit.jupiter.api.Test;

/** An origin with 20 workers that take 10 ms each. The limit does not depend on these numbers. */
class AdaptiveLimitTest {
    private final Simulation time = new Simulation();
    private final QueueingOrigin origin = new QueueingOrigin(time, 20, 10 * MS);
    private final AdaptiveLimit limit = new AdaptiveLimit(LimitConfig.DEFAULT, 1);
    private int answered;
    private int refused;
    private int mostInLine;
    private long longest;

    private void serve(int perSecond, long seconds) {
        answered = 0;
        refused = 0;
        mostInLine = 0;
        longest = 0;
        time.every(perSecond, time.now() + seconds * SECOND, () -> {
            long began = time.now();
            long ticket = limit.tryAcquire(began);
            if (Guard.isRefusal(ticket)) {
                refused++;
                return;
            }
            origin.ask(() -> {
                long latency = time.now() - began;
                limit.release(ticket, Ending.SUCCESS, latency, time.now());
                answered++;
                longest = Math.max(longest, latency);
            });
            mostInLine = Math.max(mostInLine, origin.inLine());
        });
        time.runUntil(time.now() + seconds * SECOND);
    }

    @Test
    void atHalfOfTheOriginsCapacityItRejectsNoRequest() {
        serve(1000, 60);

        assertThat(refused).isZero();
        assertThat(longest).isEqualTo(10 * MS);
    }

    @Test
    void atTwiceTheCapacityItSettlesWithBusyWorkersAndAShortQueue() {
        serve(4000, 10);
        serve(4000, 60);

        assertThat(limit.limit()).isBetween(20, 45);
        assertThat(mostInLine).isLessThan(30);
        assertThat(longest).isLessThan(30 * MS);
        assertThat(answered / 60.0).isGreaterThan(0.95 * 2000);
        assertThat(limit.kind()).isEqualTo(ErrorKind.CONCURRENCY_LIMITED);
    }

    @Test
    void tenfoldDurationsKeepConcurrencyBoundedAndTheLimitRecovers() {
        serve(1000, 30);
        origin.service = 100 * MS;
        serve(1000, 60);

        // Without a limit 800 a second more would wait: 48,000 in the end.
        assertThat(mostInLine).isLessThan(120);
        assertThat(answered / 60.0).isGreaterThan(0.8 * 200);
        serve(1000, 60);
        assertThat(mostInLine).isLessThan(60);

        origin.service = 10 * MS;
        serve(1000, 10);
        serve(1000, 30);
        assertThat(refused / (30.0 * 1000)).isLessThan(0.01);
    }

    @Test
    void failuresLowerItToItsFloorAndNoFurther() {
        for (int i = 0; i < 10_000; i++) {
            limit.release(limit.tryAcquire(0), Ending.FAILURE, MS, 0);
        }

        assertThat(limit.limit()).isEqualTo(10);
    }

    @Test
    void disconnectingClientsDoNotChangeIt() {
        int before = limit.limit();
        for (int i = 0; i < 10_000; i++) {
            limit.release(limit.tryAcquire(0), Ending.IGNORED, SECOND, 0);
        }

        assertThat(limit.limit()).isEqualTo(before);
        assertThat(limit.underWay).isZero();
    }

    @Test
    void aShareIsAPartOfTheCurrentLimit() {
        int whole = limit.limit();
        int part = 0;
        while (!Guard.isRefusal(limit.tryAcquire(0, new LimitShare(0.9, false)))) {
            part++;
        }
        int rest = 0;
        while (!Guard.isRefusal(limit.tryAcquire(0))) {
            rest++;
        }

        assertThat(part).isEqualTo(whole * 9 / 10);
        assertThat(rest).isEqualTo(whole - part);
    }

    @Test
    void highPrioritiesAreAdmittedAtThreeTimesTheCapacityOfTheOrigin() {
        // 2,000 requests per second is the capacity; a tenth of it has a high priority.
        int[] high = new int[2];
        time.every(200, 60 * SECOND, () -> ask(new LimitShare(1, true), high));
        int[] low = new int[2];
        time.every(5800, 60 * SECOND, () -> ask(new LimitShare(0.8, false), low));
        time.runUntil(60 * SECOND);

        assertThat((double) high[1] / high[0]).isGreaterThan(0.999);
        assertThat((high[1] + low[1]) / 60.0).isGreaterThan(0.9 * 2000);
        assertThat((double) low[1] / low[0]).isLessThan(0.4);
    }

    /** @param counts the requests, and the admitted ones */
    private void ask(LimitShare share, int[] counts) {
        long began = time.now();
        long ticket = limit.tryAcquire(began, share);
        counts[0]++;
        if (!Guard.isRefusal(ticket)) {
            counts[1]++;
            origin.ask(() -> limit.release(ticket, Ending.SUCCESS, time.now() - began, time.now()));
        }
    }

    @Test
    void eachLoopHasItsPartOfTheBounds() {
        AdaptiveLimit ofFour = new AdaptiveLimit(new LimitConfig(LimitConfig.Adaptive.VEGAS, 10, 12), 4);
        int passed = 0;
        while (!Guard.isRefusal(ofFour.tryAcquire(0))) {
            passed++;
        }

        assertThat(passed).isEqualTo(3);
    }
}
