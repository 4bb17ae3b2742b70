package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint filter that responds after all attempts have failed, with real sockets. */
@Tag("slow")
class FallbackFilterTest {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private interface Decision {
        @Nullable
        FilterOutcome on(FilterExchange exchange) throws Exception;
    }

    private record Sorry(Decision decision) implements EndpointFilter, SyncFilter {
        @Override
        public String name() {
            return "sorry";
        }

        @Override
        @SuppressWarnings("NullAway") // null is one of the things that a filter must not return
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return decision.on(exchange);
        }
    }

    /** Decides on another thread, some time later. */
    private record LateSorry(Decision decision, Duration timeout) implements EndpointFilter, AsyncFilter {
        @Override
        public String name() {
            return "sorry";
        }

        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            CompletableFuture<FilterOutcome> later = new CompletableFuture<>();
            Thread other = new Thread(() -> {
                try {
                    Thread.sleep(50);
                    FilterOutcome outcome = decision.on(exchange);
                    if (outcome != null) {
                        later.complete(outcome);
                    }
                } catch (Exception e) {
                    later.completeExceptionally(e);
                }
            });
            other.start();
            return later;
        }
    }

    private static FilterOutcome sorry(FilterExchange exchange) {
        GatewayError error = exchange.getError();
        String what = error == null ? "a status" : error.kind().label();
        return exchange.respond(
                218, "sorry, " + what + " at " + exchange.getRequest().getPath());
    }

    private static Setup failing(Filter filter, InetSocketAddress origin) {
        return Setup.to(origin)
                .onFailure(OnFailure.filter("sorry", Set.of(503)))
                .filters(FilterSet.EMPTY.withFallback("all", filter));
    }

    private static RawMessage send(Running gateway, String method, String body) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.send(
                            method + " /a HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                    .readResponse();
        }
    }

    private static ScriptedOrigin busy(String body) {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.of(503, body)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersInPlaceOfTheError(boolean late) throws Exception {
        Filter filter =
                late ? new LateSorry(FallbackFilterTest::sorry, PATIENCE) : new Sorry(FallbackFilterTest::sorry);
        try (RefusingPort refusing = new RefusingPort();
                Running gateway = failing(filter, refusing.address())
                        .retrying(RetryConfig.DEFAULT)
                        .start()) {
            RawMessage response = send(gateway, "POST", "money");
            assertThat(response.status()).isEqualTo(218);
            assertThat(response.body()).isEqualTo("sorry, connect-refused at /a");
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.attempts()).isEqualTo(2);
            assertThat(outcome.error()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersInPlaceOfAListedStatus(boolean late) throws Exception {
        Filter filter =
                late ? new LateSorry(FallbackFilterTest::sorry, PATIENCE) : new Sorry(FallbackFilterTest::sorry);
        try (ScriptedOrigin origin = busy("busy");
                Running gateway = failing(filter, origin.address()).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/a").body()).isEqualTo("sorry, a status at /a");
            assertThat(client.get("/b").body()).isEqualTo("sorry, a status at /b");
        }
    }

    @Test
    void runsForNoOtherResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(500, "origin")));
                Running gateway = failing(new Sorry(FallbackFilterTest::sorry), origin.address())
                        .start()) {
            assertThat(send(gateway, "GET", "").body()).isEqualTo("origin");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"proceeds", "throws", "fails", "null", "late proceeds", "late throws", "late never"})
    void sendsTheOriginalErrorIfTheFallbackDoesNotRespond(String how) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.reset());
                Running gateway = failing(silent(how), origin.address()).start()) {
            assertProblem(send(gateway, "POST", "money"), 502, ErrorKind.ORIGIN_RESET);
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(1);
            assertThat(gateway.hasMoreOutcomes()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"proceeds", "throws", "fails", "null", "late proceeds", "late throws", "late never"})
    void orTheAnswerThatItWasAskedFor(String how) throws Exception {
        String body = "b".repeat(300_000);
        try (ScriptedOrigin origin = busy(body);
                Running gateway = failing(silent(how), origin.address()).start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 2; i++) {
                RawMessage response = client.get("/a");
                assertThat(response.status()).isEqualTo(503);
                assertThat(response.body()).isEqualTo(body);
            }
        }
    }

    private static Filter silent(String how) {
        Decision decision = exchange -> switch (how.replace("late ", "")) {
            case "throws" -> throw new IllegalStateException("broken");
            case "fails" -> exchange.fail(ErrorKind.INTERNAL, "no");
            case "proceeds" -> exchange.proceed();
            default -> null;
        };
        return how.startsWith("late")
                ? new LateSorry(decision, how.equals("late never") ? SHORT : PATIENCE)
                : new Sorry(decision);
    }

    @Test
    void theDeadlineOfTheExchangeStillApplies() throws Exception {
        try (RefusingPort refusing = new RefusingPort();
                Running gateway = failing(silent("late never"), refusing.address())
                        .timeouts(Setup.waiting(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofMillis(200)))
                        .start()) {
            assertProblem(send(gateway, "GET", ""), 504, ErrorKind.EXCHANGE_TIMEOUT);
        }
    }

    @Test
    void theRequestCanBeReadButNoLongerChanged() throws Exception {
        Decision changing = exchange -> {
            exchange.getRequest().setPath("/other");
            return exchange.proceed();
        };
        try (RefusingPort refusing = new RefusingPort();
                Running gateway =
                        failing(new Sorry(changing), refusing.address()).start()) {
            assertProblem(send(gateway, "GET", ""), 502, ErrorKind.CONNECT_REFUSED);
        }
    }

    private record Inbound() implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }

    private record Reading() implements EndpointFilter, SyncFilter {
        @Override
        public BodyNeed body() {
            return BodyNeed.whole(100);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(200);
        }
    }

    @Test
    void refusesAFilterThatCannotRespondAsAFallback() {
        InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        assertThatThrownBy(() -> failing(new Inbound(), nowhere).start())
                .hasMessageContaining("not an endpoint filter");
        assertThatThrownBy(() -> failing(new Reading(), nowhere).start())
                .hasMessageContaining("declares a body, which the failed attempts may already have consumed");
        assertThatThrownBy(() -> Setup.to(nowhere)
                        .onFailure(OnFailure.filter("sorry", Set.of()))
                        .start())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("on-failure.filter: sorry");
    }
}
