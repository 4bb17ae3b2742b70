package dev.lychgate.resilience;

import static dev.lychgate.error.ErrorKind.BULKHEAD_FULL;
import static dev.lychgate.error.ErrorKind.CONCURRENCY_LIMITED;
import static dev.lychgate.error.ErrorKind.RATE_LIMITED;
import static dev.lychgate.resilience.Simulation.MS;
import static dev.lychgate.resilience.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.resilience.OverloadLadder.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A ladder with a brown-out after 1 s of continuous shedding, stale responses after 3 s, a page after 5 s, and a hold of 5 s. */
class OverloadLadderTest {
    private static final Times TIMES = new Times(SECOND, 3 * SECOND, 5 * SECOND, 5 * SECOND);

    private final OverloadLadder ladder = new OverloadLadder();
    /** Negative, as the clock of the JVM may be. */
    private long now = -3 * SECOND;

    private void shed(long length) {
        for (long end = now + length; now < end; now += 50 * MS) {
            ladder.shed(BULKHEAD_FULL, now, TIMES);
        }
    }

    private Rung rung() {
        return ladder.position(now, TIMES).rung();
    }

    @Test
    void beginsOnTheLowestRungWithoutATime() {
        assertThat(ladder.position(now, TIMES)).isEqualTo(new OverloadLadder.Position(Rung.NORMAL, 0, null));
    }

    @Test
    void oneShedRequestLeadsToShedAndNoFurther() {
        ladder.shed(BULKHEAD_FULL, now, TIMES);

        assertThat(ladder.position(now, TIMES)).isEqualTo(new OverloadLadder.Position(Rung.SHED, now, BULKHEAD_FULL));
        assertThat(ladder.shed()).isOne();
    }

    @Test
    void aRefusalByARateLimitLeadsToLimitOnly() {
        for (int i = 0; i < 200; i++) {
            ladder.limited(now, TIMES);
            now += 50 * MS;
        }

        assertThat(rung()).isEqualTo(Rung.LIMIT);
        assertThat(ladder.position(now, TIMES).reason()).isEqualTo(RATE_LIMITED);
        assertThat(ladder.limited()).isEqualTo(200);
        assertThat(ladder.reached(Rung.LIMIT)).isOne();
        now += 5 * SECOND;
        assertThat(rung()).isEqualTo(Rung.NORMAL);
    }

    @Test
    void continuousSheddingLeadsUpRungByRung() {
        shed(950 * MS);
        assertThat(rung()).isEqualTo(Rung.SHED);
        shed(100 * MS);
        assertThat(rung()).isEqualTo(Rung.BROWNOUT);
        shed(1900 * MS);
        assertThat(rung()).isEqualTo(Rung.BROWNOUT);
        shed(100 * MS);
        assertThat(rung()).isEqualTo(Rung.STALE);
        shed(1900 * MS);
        assertThat(rung()).isEqualTo(Rung.STALE);
        shed(100 * MS);
        assertThat(rung()).isEqualTo(Rung.PAGE);
        for (Rung one : List.of(Rung.SHED, Rung.BROWNOUT, Rung.STALE, Rung.PAGE)) {
            assertThat(ladder.reached(one)).as(one.label()).isOne();
        }
    }

    @Test
    void aRungThatIsNotConfiguredIsLeftOut() {
        Times without = new Times(SECOND, Long.MAX_VALUE, 5 * SECOND, 5 * SECOND);
        List<Rung> way = new ArrayList<>();
        for (int i = 0; i < 110; i++) {
            ladder.shed(BULKHEAD_FULL, now, without);
            add(way, ladder.position(now, without).rung());
            now += 50 * MS;
        }
        for (int i = 0; i < 400; i++) {
            add(way, ladder.position(now, without).rung());
            now += 50 * MS;
        }

        assertThat(way).containsExactly(Rung.SHED, Rung.BROWNOUT, Rung.PAGE, Rung.BROWNOUT, Rung.SHED, Rung.NORMAL);
        assertThat(ladder.reached(Rung.STALE)).isZero();
    }

    private static void add(List<Rung> way, Rung rung) {
        if (way.isEmpty() || way.get(way.size() - 1) != rung) {
            way.add(rung);
        }
    }

    @Test
    void aRungThatTheSettingsOfAReaderLackReadsAsTheNextLowerOne() {
        shed(6 * SECOND);

        assertThat(ladder.position(now, new Times(SECOND, 3 * SECOND, Long.MAX_VALUE, 5 * SECOND))
                        .rung())
                .isEqualTo(Rung.STALE);
        assertThat(ladder.position(now, new Times(SECOND, Long.MAX_VALUE, Long.MAX_VALUE, 5 * SECOND))
                        .rung())
                .isEqualTo(Rung.BROWNOUT);
        assertThat(rung()).as("with the settings that led to it").isEqualTo(Rung.PAGE);
    }

    @Test
    void withoutFurtherRungsBrownoutIsTheHighestOne() {
        Times without = new Times(SECOND, Long.MAX_VALUE, Long.MAX_VALUE, 5 * SECOND);
        for (int i = 0; i < 2000; i++) {
            ladder.shed(BULKHEAD_FULL, now, without);
            now += 50 * MS;
        }

        assertThat(rung()).isEqualTo(Rung.BROWNOUT);
    }

    @Test
    void sheddingWithPausesOfMoreThanASecondIsNotContinuous() {
        for (int i = 0; i < 100; i++) {
            ladder.shed(BULKHEAD_FULL, now, TIMES);
            now += 1100 * MS;
        }

        assertThat(rung()).isEqualTo(Rung.SHED);
        assertThat(ladder.reached(Rung.SHED)).isOne();
    }

    @Test
    void eachRungIsLeftAfterTheHold() {
        shed(6 * SECOND);
        long last = now - 50 * MS;
        assertThat(rung()).isEqualTo(Rung.PAGE);
        List<Rung> down = new ArrayList<>();
        for (long after : new long[] {4, 6, 9, 11, 14, 16, 19, 21}) {
            now = last + after * SECOND;
            down.add(rung());
        }

        assertThat(down)
                .containsExactly(
                        Rung.PAGE,
                        Rung.STALE,
                        Rung.STALE,
                        Rung.BROWNOUT,
                        Rung.BROWNOUT,
                        Rung.SHED,
                        Rung.SHED,
                        Rung.NORMAL);
        assertThat(ladder.position(now, TIMES))
                .isEqualTo(new OverloadLadder.Position(Rung.NORMAL, last + 20 * SECOND, null));
    }

    @Test
    void aShedRequestOnTheWayDownEndsTheDescentAndBeginsANewRun() {
        shed(6 * SECOND);
        now += 7 * SECOND;
        assertThat(rung()).isEqualTo(Rung.STALE);

        shed(4 * SECOND);
        assertThat(rung()).as("4 s of shedding").isEqualTo(Rung.STALE);
        shed(1100 * MS);
        assertThat(rung()).isEqualTo(Rung.PAGE);
        assertThat(ladder.reached(Rung.PAGE)).isEqualTo(2);
        assertThat(ladder.reached(Rung.SHED)).isOne();
    }

    @Test
    void theWayDownLeadsToLimitWhileARateLimitRefusesRequests() {
        shed(500 * MS);
        for (int i = 0; i < 100; i++) {
            ladder.limited(now, TIMES);
            now += 100 * MS;
        }

        assertThat(ladder.position(now, TIMES).rung()).isEqualTo(Rung.LIMIT);
        assertThat(ladder.position(now, TIMES).reason()).isEqualTo(RATE_LIMITED);
    }

    @Test
    void aRateLimitDoesNotKeepAHigherRung() {
        shed(500 * MS);
        ladder.limited(now, TIMES);
        assertThat(ladder.position(now, TIMES).reason()).isEqualTo(BULKHEAD_FULL);

        now += 30 * SECOND;
        assertThat(rung()).isEqualTo(Rung.NORMAL);
    }

    @Test
    void theReasonIsThatOfTheLatestShedRequest() {
        shed(200 * MS);
        ladder.shed(CONCURRENCY_LIMITED, now, TIMES);

        assertThat(ladder.position(now, TIMES).reason()).isEqualTo(CONCURRENCY_LIMITED);
    }

    @Test
    void threadsLoseNoRequestAndReachEachRungOnce() throws Exception {
        int threads = 4;
        int each = 20_000;
        ExecutorService loops = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                work.add(() -> {
                    for (int i = 0; i < each; i++) {
                        ladder.shed(BULKHEAD_FULL, i * (6 * SECOND / each), TIMES);
                    }
                    return null;
                });
            }
            for (Future<Void> done : loops.invokeAll(work)) {
                done.get();
            }
        } finally {
            loops.shutdownNow();
        }

        assertThat(ladder.shed()).isEqualTo((long) threads * each);
        assertThat(ladder.position(6 * SECOND, TIMES).rung()).isEqualTo(Rung.PAGE);
        for (Rung one : List.of(Rung.SHED, Rung.BROWNOUT, Rung.STALE, Rung.PAGE)) {
            assertThat(ladder.reached(one)).as(one.label()).isOne();
        }
    }
}
