package dev.lychgate.filters.testing;

import static dev.lychgate.filter.FilterPhase.INBOUND;
import static dev.lychgate.filter.FilterPhase.OUTBOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Exchanges that wait for other threads, for the clock, or for the test. */
@NullUnmarked // A null value fails the test that uses it.
class LateExchangeTest {
    private static final AttributeKey<String> SEEN = AttributeKey.of("seen", String.class);

    private final CompletableFuture<FilterOutcome> response = new CompletableFuture<>();

    @Test
    void theTestCompletesAFilterAtAnyTime() {
        TestResult result = TestExchange.post("/").body("abc").through(Step.async("late", INBOUND, e -> response));
        assertThat(result.isDone()).isFalse();
        assertThat(result.getSent()).isNull();
        response.complete(FilterOutcome.proceed());
        assertThat(result.isDone()).isTrue();
        assertThat(result.getSent().getText()).isEqualTo("abc");
        assertThat(result.getStatus()).isEqualTo(200);
    }

    @Test
    void responsesOfOtherThreadsAreAwaited() {
        CountDownLatch begun = new CountDownLatch(1);
        TestResult result = TestExchange.get("/")
                .through(
                        Step.async(
                                "async",
                                INBOUND,
                                e -> CompletableFuture.supplyAsync(() -> {
                                    try {
                                        begun.await();
                                    } catch (InterruptedException interrupted) {
                                        throw new IllegalStateException(interrupted);
                                    }
                                    return FilterOutcome.proceed();
                                })),
                        Step.blocking("blocking", OUTBOUND, e -> {
                            e.getResponse().setStatus(202);
                            return e.proceed();
                        }));
        assertThat(result.isDone()).isFalse();
        begun.countDown();
        assertThat(result.getStatus()).isEqualTo(202);
        assertThat(result.getRan()).containsExactly("async", "blocking");
    }

    @Test
    void requestsAndAttributesAwaitBlockingFilters() {
        CountDownLatch begun = new CountDownLatch(1);
        TestResult result = TestExchange.post("/").body("abc").through(Step.blocking("blocking", INBOUND, e -> {
            begun.await();
            Thread.sleep(100);
            e.set(SEEN, "yes");
            e.getRequest().getHeaders().set("x-seen", "yes");
            return e.proceed();
        }));
        assertThat(result.isDone()).isFalse();
        begun.countDown();
        assertThat(result.get(SEEN)).isEqualTo("yes");
        assertThat(result.getSent().header("x-seen")).isEqualTo("yes");
    }

    @Test
    void theClockExpiresTheTimeoutOfAFilter() {
        TestResult result = TestExchange.get("/").through(Step.async("late", INBOUND, e -> response));
        result.getClock().advance(Duration.ofMillis(1900));
        assertThat(result.isDone()).isFalse();
        result.getClock().advance(Duration.ofMillis(100));
        assertThat(result.getStatus()).isEqualTo(500);
        assertThat(response).isCancelled();
        assertThat(result.getFailures()).hasSize(1);
        assertThat(result.getFailures().get(0).getCause()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void theClockExpiresTheTimeoutOfTheOrigin() {
        TestResult result = TestExchange.get("/").origin(request -> null).through();
        assertThat(result.getSent()).hasToString("GET /");
        assertThatThrownBy(result::getStatus).hasMessageContaining("waits for the origin");
        result.getClock().advance(Duration.ofSeconds(30));
        assertThat(result.getStatus()).isEqualTo(504);
        assertThat(result.getError().kind()).isEqualTo(ErrorKind.RESPONSE_TIMEOUT);
    }

    @Test
    void aFilterLimitsTheWholeExchange() {
        TestResult result = TestExchange.get("/").origin(request -> null).through(Step.sync("limit", INBOUND, e -> {
            e.setExchangeTimeout(Duration.ofSeconds(1));
            return e.proceed();
        }));
        result.getClock().advance(Duration.ofSeconds(1));
        assertThat(result.getError().kind()).isEqualTo(ErrorKind.EXCHANGE_TIMEOUT);
    }

    @Test
    void anOriginThatDisconnectsIsAFailureOfTheOrigin() {
        TestResult result =
                TestExchange.get("/").origin(request -> OriginResponse.hangUp()).through();
        assertThat(result.getStatus()).isEqualTo(502);
        assertThat(result.getError().kind()).isEqualTo(ErrorKind.ORIGIN_RESET);
    }

    @Test
    void aClientThatDisconnectsCancelsTheFilter() {
        TestResult result = TestExchange.get("/").through(Step.async("late", INBOUND, e -> response));
        result.leave();
        assertThat(response).isCancelled();
        assertThat(result.isAborted()).isTrue();
        assertThatThrownBy(result::getStatus).hasMessageContaining("received no response");
    }

    @Test
    void aFailedStageIsReportedWithItsCause() {
        response.completeExceptionally(new IllegalStateException("broken"));
        TestResult result = TestExchange.get("/").through(Step.async("late", INBOUND, e -> response));
        assertThat(result.getStatus()).isEqualTo(500);
        assertThat(result.getFailures().toString()).isEqualTo("[late: java.lang.IllegalStateException: broken]");
    }
}
