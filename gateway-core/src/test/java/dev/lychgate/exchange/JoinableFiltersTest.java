package dev.lychgate.exchange;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.JoinableFilter;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Consecutive blocking filters that share a thread. */
class JoinableFiltersTest {
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** The work of a filter. */
    private interface Work {
        FilterOutcome of(FilterExchange exchange) throws Exception;
    }

    private final class Joined implements JoinableFilter {
        private final String name;
        private final FailurePolicy policy;
        private final Work work;

        Joined(String name, FailurePolicy policy, Work work) {
            this.name = name;
            this.policy = policy;
            this.work = work;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FilterPhase phase() {
            return FilterPhase.INBOUND;
        }

        @Override
        public FailurePolicy onFailure() {
            return policy;
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            threads.add(Thread.currentThread());
            ran.add(name);
            return work.of(exchange);
        }
    }

    private Joined joined(String name) {
        return joined(name, FailurePolicy.FAIL_CLOSED, FilterExchange::proceed);
    }

    private Joined joined(String name, FailurePolicy policy, Work work) {
        return new Joined(name, policy, work);
    }

    /** Plays a request, and waits without a task of the event loop until {@code expected} have run. */
    private Stage played(List<String> expected, Filter... filters) throws Exception {
        Stage stage = new Stage(FilterSet.of(filters)).play("GET/api/x");
        eventually(() -> assertThat(ran).isEqualTo(expected));
        return stage;
    }

    /** Runs tasks of the event loop until the client has received a status. */
    private static void untilStatus(Stage stage, String status) throws Exception {
        eventually(() -> {
            stage.play("tasks");
            assertThat(stage.client().seen()).startsWith(status);
        });
    }

    private static long runs(Stage stage, String filter) {
        return stage.slot(filter).stats().runs();
    }

    @Test
    void runOnOneThreadWithoutTheEventLoopInBetween() throws Exception {
        try (Stage stage = played(List.of("A", "B", "C"), joined("A"), joined("B"), joined("C"))) {
            assertThat(threads).hasSize(3).containsOnly(threads.get(0));
            eventually(() -> {
                stage.play("tasks");
                assertThat(stage.slot("C").stats().runs()).isEqualTo(1);
            });
            assertThat(runs(stage, "A")).isEqualTo(1);
            assertThat(runs(stage, "B")).isEqualTo(1);
            stage.play("connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi");
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
        }
    }

    @Test
    void responseOfOneFilterEndsTheRun() throws Exception {
        try (Stage stage = played(
                List.of("A", "B"),
                joined("A"),
                joined("B", FailurePolicy.FAIL_CLOSED, exchange -> FilterOutcome.respond(403)),
                joined("C"))) {
            untilStatus(stage, "403");
            assertThat(ran).containsExactly("A", "B");
            assertThat(runs(stage, "B")).isEqualTo(1);
            assertThat(runs(stage, "C")).isZero();
        }
    }

    @Test
    void failureIsCountedForItsFilterAndFollowsItsPolicy() throws Exception {
        Work fails = exchange -> {
            throw new IllegalStateException("broken");
        };
        try (Stage stage = played(
                List.of("A", "B", "C", "D"),
                joined("A"),
                joined("B", FailurePolicy.FAIL_OPEN, fails),
                joined("C"),
                joined("D", FailurePolicy.FAIL_CLOSED, fails),
                joined("E"))) {
            untilStatus(stage, "500");
            assertThat(stage.slot("A").stats().failures()).isZero();
            assertThat(stage.slot("B").stats().failures()).isEqualTo(1);
            assertThat(stage.slot("C").stats().failures()).isZero();
            assertThat(stage.slot("D").stats().failures()).isEqualTo(1);
            assertThat(ran).doesNotContain("E");
        }
    }

    @Test
    void timeoutBelongsToTheFilterThatRuns() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (Stage stage = played(
                List.of("A", "B"),
                joined("A"),
                joined("B", FailurePolicy.FAIL_CLOSED, exchange -> {
                    never.await();
                    return FilterOutcome.proceed();
                }),
                joined("C"))) {
            stage.play("time");
            assertThat(stage.client().seen()).startsWith("500");
            assertThat(stage.slot("A").stats().timeouts()).isZero();
            assertThat(runs(stage, "A")).isEqualTo(1);
            assertThat(stage.slot("B").stats().timeouts()).isEqualTo(1);
            assertThat(ran).containsExactly("A", "B");
        }
    }

    @Test
    void filterThatFailsOpenIsAbandonedAndTheNextFilterRuns() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (Stage stage = played(
                List.of("A"),
                joined("A", FailurePolicy.FAIL_OPEN, exchange -> {
                    never.await();
                    return FilterOutcome.proceed();
                }),
                joined("B"))) {
            // More than the timeout, and not enough for a second one.
            stage.play("tick ".repeat(13));
            eventually(() -> {
                stage.play("tasks");
                assertThat(runs(stage, "B")).isEqualTo(1);
            });
            assertThat(stage.slot("A").stats().timeouts()).isEqualTo(1);
            assertThat(ran).containsExactly("A", "B");
        }
    }

    @Test
    void noFurtherFilterRunsAfterTheClientHasClosed() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Stage stage = played(
                List.of("A", "B"),
                joined("A"),
                joined("B", FailurePolicy.FAIL_CLOSED, exchange -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    return FilterOutcome.proceed();
                }),
                joined("C"))) {
            stage.play("leaves");
            interrupted.await();
            assertThat(runs(stage, "A")).isEqualTo(1);
            assertThat(runs(stage, "C")).isZero();
            assertThat(ran).containsExactly("A", "B");
        }
    }

    @Test
    void filterOfTheEventLoopSeparatesTwoRuns() throws Exception {
        try (Stage stage = new Stage(FilterSet.of(
                joined("A"),
                TestFilter.of("A2", FilterPhase.INBOUND, exchange -> {
                    ran.add("A2");
                    return exchange.proceed();
                }),
                joined("B")))) {
            stage.play("GET/api/x");
            eventually(() -> {
                stage.play("tasks");
                assertThat(ran).containsExactly("A", "A2", "B");
            });
        }
    }
}
