package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters that respond later: the parts that wait for them, the parts that do not, and filters that never respond. */
class ExchangeLateFiltersTest {
    private static final String OK = " connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi ";

    private final CompletableFuture<FilterOutcome> response = new CompletableFuture<>();
    private @Nullable FilterExchange given;

    private class Later implements AsyncFilter {
        private final FilterPhase phase;
        private final FailurePolicy policy;

        Later(FilterPhase phase, FailurePolicy policy) {
            this.phase = phase;
            this.policy = policy;
        }

        @Override
        public FilterPhase phase() {
            return phase;
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
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            given = exchange;
            return response;
        }
    }

    private Stage stage(FilterPhase phase) {
        return stage(phase, FailurePolicy.FAIL_CLOSED);
    }

    private Stage stage(FilterPhase phase, FailurePolicy policy) {
        return new Stage(FilterSet.of(new Later(phase, policy)));
    }

    private static SyncFilter keeping(Consumer<FilterExchange> with) {
        return TestFilter.of("keeps", FilterPhase.INBOUND, exchange -> {
            with.accept(exchange);
            return exchange.proceed();
        });
    }

    private FilterExchange given() {
        FilterExchange exchange = given;
        if (exchange == null) {
            throw new AssertionError("the filter has not been called");
        }
        return exchange;
    }

    @Test
    void theRequestWaitsUnreadUntilTheFilterDecides() {
        try (Stage stage = stage(FilterPhase.INBOUND).play("POST/api/x")) {
            assertThat(stage.client().seen()).containsExactly("pause");
            given().getRequest().getHeaders().set("x-late", "1");
            response.complete(FilterOutcome.proceed());
            assertThat(stage.exchange().record().attempts()).isZero();
            stage.play("tasks connects piece end");
            assertThat(stage.client().seen()).contains("resume");
            assertThat(stage.origins().received()).contains("x-late: 1");
            stage.play("says:HTTP/1.1_200_OK~Content-Length:_2~~hi");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
            assertThat(stage.slot("Later").stats().runs()).isEqualTo(1);
        }
    }

    @Test
    void aCompleteStageCostsNoHop() {
        response.complete(FilterOutcome.proceed());
        try (Stage stage = stage(FilterPhase.INBOUND).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
        }
    }

    @Test
    void theResponseWaitsAndItsReceivedBytesStayInOrder() {
        try (Stage stage = stage(FilterPhase.OUTBOUND)
                .play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_4~~hi says:ho")) {
            assertThat(stage.client().seen()).isEmpty();
            given().getResponse().setStatus(201);
            response.complete(FilterOutcome.proceed());
            stage.play("tasks");
            assertThat(stage.client().seen()).containsExactly("201", "'hi'", "'ho'", "end", "over");
            assertThat(stage.outcome()).isEqualTo("201 - x1 DONE/DONE kept 1");
        }
    }

    @Test
    void theResponseContinuesToStreamAfterTheFilter() {
        try (Stage stage =
                stage(FilterPhase.OUTBOUND).play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_4~~hi")) {
            response.complete(FilterOutcome.proceed());
            stage.play("tasks");
            assertThat(stage.client().seen()).containsExactly("200", "'hi'");
            stage.play("says:ho");
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "'ho'", "end", "over");
        }
    }

    @ParameterizedTest
    @EnumSource(FailurePolicy.class)
    void aFilterThatNeverDecidesIsAbandonedAndCancelled(FailurePolicy policy) {
        try (Stage stage = stage(FilterPhase.INBOUND, policy).play("GET/api/x time")) {
            assertThat(response).isCancelled();
            assertThat(stage.slot("Later").stats().timeouts()).isEqualTo(1);
            assertThatThrownBy(() -> given().getRequest()).isInstanceOf(IllegalStateException.class);
            if (policy == FailurePolicy.FAIL_CLOSED) {
                assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            } else {
                stage.play(OK);
                assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
            }
        }
    }

    @Test
    void aFilterIsCancelledWhenTheClientLeaves() {
        try (Stage stage = stage(FilterPhase.INBOUND).play("POST/api/x leaves")) {
            assertThat(response).isCancelled();
            stage.play("tasks");
            assertThat(stage.timesObserved()).isEqualTo(1);
            assertThat(stage.outcome()).endsWith("client-gone x0 ABORTED/ABORTED kept 0");
            assertThatThrownBy(() -> given().getRequest()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void theWaitingResponseIsReleasedWhenTheClientLeaves() {
        try (Stage stage = stage(FilterPhase.OUTBOUND)
                .play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_4~~hi leaves")) {
            assertThat(response).isCancelled();
            assertThat(stage.client().seen()).isEmpty();
        }
    }

    @Test
    void anOriginThatClosesWhileTheFilterIsPendingIsAnError() {
        try (Stage stage = stage(FilterPhase.OUTBOUND, FailurePolicy.FAIL_OPEN)
                .play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_4~~hi hangs-up")) {
            assertThat(response).isCancelled();
            assertThat(stage.exchange().record().error()).isNotNull();
        }
    }

    @Test
    void aStageThatFailsOrHoldsNothingIsAFailure() {
        response.completeExceptionally(new IllegalStateException("on purpose"));
        try (Stage stage = stage(FilterPhase.INBOUND).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            assertThat(stage.slot("Later").stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void aFilterThatThrowsInsteadOfReturningAStageFailsTheExchange() {
        AsyncFilter throwing = new AsyncFilter() {
            @Override
            public String name() {
                return "throwing";
            }

            @Override
            public FilterPhase phase() {
                return FilterPhase.INBOUND;
            }

            @Override
            public FailurePolicy onFailure() {
                return FailurePolicy.FAIL_OPEN;
            }

            @Override
            public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
                given = exchange;
                throw new IllegalStateException("on purpose");
            }
        };
        try (Stage stage = new Stage(FilterSet.of(throwing)).play("GET/api/x")) {
            assertThatThrownBy(() -> given().getRequest().setPath("/late"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("continued without this filter");
            stage.play(OK.strip());
            assertThat(stage.client().seen()).contains("200");
        }
    }

    @Test
    void aStageThatCannotBeCancelledIsAbandonedNevertheless() {
        CompletableFuture<FilterOutcome> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                throw new IllegalStateException("on purpose");
            }
        };
        AsyncFilter never = new Later(FilterPhase.INBOUND, FailurePolicy.FAIL_CLOSED) {
            @Override
            public String name() {
                return "never";
            }

            @Override
            public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
                return stubborn;
            }
        };
        try (Stage stage = new Stage(FilterSet.of(never)).play("GET/api/x time")) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            assertThat(stage.slot("never").stats().timeouts()).isEqualTo(1);
            assertThat(stage.slot("never").stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void theExchangeOfASynchronousFilterIsInvalidAfterItsReturn() {
        SyncFilter keeps = keeping(exchange -> given = exchange);
        try (Stage stage = new Stage(FilterSet.of(keeps)).play("GET/api/x")) {
            assertThatThrownBy(() -> given().getRequest()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> given().setRoute("x")).isInstanceOf(IllegalStateException.class);
            stage.play(OK.strip());
            assertThat(stage.client().seen()).contains("200");
        }
    }

    @Test
    void aBlockingFilterRunsOnAnotherThreadAndIsInterruptedIfItIsAbandoned() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        BlockingFilter sleeper = new BlockingFilter() {
            @Override
            public String name() {
                return "sleeper";
            }

            @Override
            public FilterPhase phase() {
                return FilterPhase.INBOUND;
            }

            @Override
            public FilterOutcome filter(FilterExchange exchange) {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
                return FilterOutcome.proceed();
            }
        };
        try (Stage stage = new Stage(FilterSet.of(sleeper)).play("GET/api/x")) {
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            stage.play("leaves");
            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
