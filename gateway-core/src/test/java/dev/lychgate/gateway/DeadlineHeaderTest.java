package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The remaining time that origins receive, with real sockets. */
@Tag("slow")
class DeadlineHeaderTest {
    private static final String FIELD = "x-request-timeout-ms";
    private static final RouteTimeouts TEN_SECONDS = new RouteTimeouts(null, null, null, null, Duration.ofSeconds(10));

    private static Setup setup(ScriptedOrigin origin, @Nullable RetryConfig retry) {
        UpstreamResilience generous =
                new UpstreamResilience(new RetryBudgetConfig(new Percent(100), 1000), null, null, null);
        return new Setup()
                .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                        .withResilience(generous))
                .resilience(new RouteResilience(retry, null, 5, OnFailure.FAIL_FAST, FIELD));
    }

    private static RetryConfig retry(int attempts, Duration perTry) {
        return new RetryConfig(
                attempts,
                List.of("503", "timeout"),
                perTry,
                new RetryConfig.Backoff(Duration.ofMillis(1), Duration.ofMillis(1)),
                Duration.ofSeconds(2),
                ByteSize.ofKiB(64),
                false,
                null);
    }

    private static ScriptedOrigin ok() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
    }

    private static void get(Running gateway, String fields) throws Exception {
        try (RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n").readResponse();
        }
    }

    private static long told(ScriptedOrigin origin, int request) {
        Optional<String> value = origin.requests().get(request).value(FIELD);
        assertThat(value).isPresent();
        return Long.parseLong(value.orElseThrow());
    }

    @Test
    void sendsTheOriginTheRemainingTimeOfTheExchange() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, null).timeouts(TEN_SECONDS).start()) {
            get(gateway, "");
            assertThat(told(origin, 0)).isBetween(5_000L, 10_000L);
        }
    }

    @Test
    void sendsTheRemainingTimeOfTheAttemptIfItIsLess() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, retry(2, Duration.ofSeconds(5)))
                        .timeouts(TEN_SECONDS)
                        .start()) {
            get(gateway, "");
            assertThat(told(origin, 0)).isBetween(1_000L, 5_000L);
        }
    }

    @Test
    void sendsTheNextAttemptTheSmallerRest() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send("HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"));
                Running gateway = setup(origin, retry(2, Duration.ZERO))
                        .timeouts(TEN_SECONDS)
                        .start()) {
            get(gateway, "");
            origin.awaitRequests(2);
            assertThat(told(origin, 1)).isLessThanOrEqualTo(told(origin, 0) - 900);
        }
    }

    @Test
    void timeThatAFilterUsesUpIsGone() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, null)
                        .filters(FilterSet.of(new Limiting(Duration.ofSeconds(9))))
                        .start()) {
            get(gateway, "");
            assertThat(told(origin, 0)).isBetween(1_000L, 9_000L);
        }
    }

    private record Limiting(Duration limit) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.setExchangeTimeout(limit);
            return exchange.proceed();
        }
    }

    @Test
    void sendsNoHeaderWithoutALimit() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, retry(2, Duration.ofSeconds(2))).start()) {
            get(gateway, "X-Request-Timeout-MS: 77\r\nx-request-timeout-ms: 78\r\nx_request_timeout_ms: 79\r\n");
            RawMessage seen = origin.requests().get(0);
            assertThat(seen.value(FIELD)).isEmpty();
            assertThat(seen.value("x_request_timeout_ms")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-request-timeout-ms", "X_Request-Timeout_MS", "x.request.timeout.ms"})
    void noSpellingOfTheFieldPassesAsAHeaderFieldOrAsATrailer(String name) throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, null).start();
                RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\n" + name + ": 77\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                            + name + ": 78\r\nX-Sum: 1\r\n\r\n")
                    .readResponse();
            RawMessage seen = origin.awaitRequests(1).get(0);
            assertThat(seen.has(name)).isFalse();
            assertThat(seen.trailers()).extracting(RawMessage.Field::name).containsExactly("X-Sum");
        }
    }

    @Test
    void replacesTheHeaderOfAClient() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, null).timeouts(TEN_SECONDS).start()) {
            get(gateway, "X-Request-Timeout-MS: 77\r\n");
            assertThat(told(origin, 0)).isGreaterThan(5_000L);
        }
    }

    @Test
    void treatsTheHeaderOfATrustedProxyAsABound() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, null)
                        .timeouts(TEN_SECONDS)
                        .trusting("127.0.0.1")
                        .start()) {
            get(gateway, FIELD + ": 8000\r\n");
            get(gateway, FIELD + ": 30000\r\n");
            get(gateway, FIELD + ": soon\r\n");
            assertThat(told(origin, 0)).isBetween(1_000L, 8_000L);
            assertThat(told(origin, 1)).isBetween(5_000L, 10_000L);
            assertThat(told(origin, 2)).isBetween(5_000L, 10_000L);
        }
    }

    @Test
    void treatsTheHeaderOfATrustedProxyAsABoundWithoutAnotherLimit() throws Exception {
        try (ScriptedOrigin origin = ok();
                Running gateway = setup(origin, null).trusting("127.0.0.1").start()) {
            get(gateway, FIELD + ": 8000\r\n");
            assertThat(told(origin, 0)).isBetween(1_000L, 8_000L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "Connection", "transfer-encoding", "TE", "Host", "x-request-id"})
    void fieldsOfTheConnectionAndOfTheGatewayAreRefused(String name) {
        assertThatThrownBy(() -> new RouteResilience(null, null, 5, OnFailure.FAIL_FAST, name))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("deadline-header");
    }
}
