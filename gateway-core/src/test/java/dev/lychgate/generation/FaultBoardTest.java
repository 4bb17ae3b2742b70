package dev.lychgate.generation;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.FaultsConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.Stickiness;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The faults that outlive generations: changes at the same time, and expiry without requests. */
class FaultBoardTest {
    private final Instant later = Instant.now().plus(Duration.ofHours(1));

    private final FaultBoard board = new FaultBoard(InstantSource.system());

    private static FaultRule fault(String name, FaultRule.Source source, Instant until) {
        return FaultRule.compile(
                "fault",
                new FaultConfig(
                        name,
                        new FaultScope(MatchConfig.ANY, List.of(), SampleRate.ALL, new Stickiness.Request()),
                        new FaultEffects(null, 503, null, false, null),
                        until),
                source);
    }

    private FaultRule ofOperator(String name) {
        return fault(name, FaultRule.Source.OPERATOR, later);
    }

    private FaultRule ofFile(String name) {
        return fault(name, FaultRule.Source.CONFIGURATION, later);
    }

    private List<String> active() {
        return board.state().active().map(FaultRule::name).toList();
    }

    /** Runs each task many times in a separate thread, all tasks at the same time. */
    private static void together(int times, Runnable... tasks) throws Exception {
        CountDownLatch start = new CountDownLatch(tasks.length);
        ExecutorService threads = Executors.newFixedThreadPool(tasks.length);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (Runnable task : tasks) {
                all.add(threads.submit(() -> {
                    start.countDown();
                    start.await();
                    for (int i = 0; i < times; i++) {
                        task.run();
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void faultsOfOperatorsHaveUniqueNames() {
        board.adopt(List.of(ofFile("of-file")));
        FaultRule rule = ofOperator("f");

        assertThat(board.inject(rule)).isTrue();
        assertThat(board.inject(ofOperator("f"))).isFalse();
        assertThat(board.inject(ofOperator("of-file"))).isFalse();
        assertThat(board.stop(rule)).isTrue();
        assertThat(board.stop(rule)).isFalse();
        assertThat(board.inject(rule)).isTrue();
    }

    @Test
    void faultsOfOperatorsAreRefusedWithoutPermissionAndEndWithIt() {
        assertThat(board.inject(ofOperator("early"))).isFalse();
        board.adopt(List.of());
        assertThat(board.inject(ofOperator("f"))).isTrue();

        board.adopt(null);

        assertThat(board.inject(ofOperator("late"))).isFalse();
        board.adopt(List.of());
        assertThat(active()).isEmpty();
    }

    @Test
    void theNumberOfFaultsOfOperatorsIsBounded() {
        board.adopt(List.of());
        assertThat(IntStream.range(0, 2 * FaultsConfig.MOST)
                        .filter(i -> board.inject(ofOperator("f" + i)))
                        .count())
                .isEqualTo(FaultsConfig.MOST);
    }

    @Test
    void concurrentChangesOfOperatorsAndReloadsAreAllKept() throws Exception {
        List<FaultRule> files = List.of(ofFile("stays"), ofFile("stopped"));
        board.adopt(files);
        AtomicInteger ends = new AtomicInteger();
        List<Runnable> operators = new ArrayList<>();
        for (int operator = 0; operator < 3; operator++) {
            String own = "operator-" + operator + "-";
            AtomicInteger round = new AtomicInteger();
            operators.add(() -> {
                FaultRule kept = ofOperator(own + "kept");
                FaultRule brief = ofOperator(own + "brief");
                boolean first = round.getAndIncrement() == 0;
                // A lost injection would permit the name again.
                assertThat(board.inject(kept)).isEqualTo(first);
                assertThat(board.inject(brief)).isTrue();
                assertThat(board.stop(brief)).isTrue();
                if (board.stop(files.get(1))) {
                    ends.incrementAndGet();
                }
            });
        }
        operators.add(() -> board.adopt(files));

        together(500, operators.toArray(Runnable[]::new));

        assertThat(active())
                .containsExactlyInAnyOrder("operator-0-kept", "operator-1-kept", "operator-2-kept", "stays");
        assertThat(ends).hasValue(1);
    }

    @Test
    void acceptsOneOfSeveralConcurrentInjectionsWithTheSameName() throws Exception {
        board.adopt(List.of());
        for (int i = 0; i < 50; i++) {
            String name = "f" + i;
            AtomicInteger injected = new AtomicInteger();
            Runnable inject = () -> {
                FaultRule rule = ofOperator(name);
                injected.addAndGet(board.inject(rule) ? 1 : 0);
            };
            together(1, inject, inject);
            assertThat(injected).hasValue(1);
            assertThat(board.stop(board.injected().get(0))).isTrue();
        }
    }

    @Test
    void expiredFaultsEndWithoutRequestsWhateverWasInjectedAfterThem() throws Exception {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            AtomicInteger ends = new AtomicInteger();
            board.watch(thread, ends::incrementAndGet);
            board.adopt(List.of(fault(
                    "of-file", FaultRule.Source.CONFIGURATION, Instant.now().plusMillis(60))));
            Runnable inject = () -> board.inject(fault(
                    "f" + Thread.currentThread().getId(),
                    FaultRule.Source.OPERATOR,
                    Instant.now().plusMillis(50)));
            together(1, inject, inject, () -> board.inject(ofOperator("long")), inject);

            eventually(() -> assertThat(active()).containsExactly("long"));
            eventually(() -> assertThat(ends).hasValue(4));
        } finally {
            thread.shutdownNow();
        }
    }
}
