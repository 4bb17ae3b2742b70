package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Metrics after failing traffic through a real gateway. */
@Tag("slow")
class UpstreamMetersTest {
    private static final ScheduledExecutorService THREAD = new DefaultEventLoop();
    private static final RetryBudgetConfig GENEROUS = new RetryBudgetConfig(new Percent(100), 1000);

    private final GatewayMetrics metrics = new GatewayMetrics();

    @AfterAll
    static void stop() {
        THREAD.shutdownNow();
    }

    private static RetryConfig retry(int attempts, RetryConfig.@Nullable Hedge hedge) {
        return new RetryConfig(
                attempts,
                List.of("connect-failure", "reset", "503"),
                Duration.ZERO,
                new RetryConfig.Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                Duration.ofSeconds(1),
                ByteSize.ofKiB(64),
                false,
                hedge);
    }

    private static UpstreamConfig upstream(String name, UpstreamResilience resilience, int... ports) {
        EndpointConfig[] endpoints = Arrays.stream(ports)
                .mapToObj(port -> new EndpointConfig("127.0.0.1", port))
                .toArray(EndpointConfig[]::new);
        return UpstreamConfig.of(name, endpoints)
                .withBalance(BalanceConfig.of(Algorithm.ROUND_ROBIN))
                .withResilience(resilience);
    }

    private static UpstreamResilience budget(RetryBudgetConfig budget) {
        return new UpstreamResilience(budget, null, null, null);
    }

    private static RouteConfig route(String id, String upstream, @Nullable RetryConfig retry, OnFailure onFailure) {
        return RouteConfig.proxy(id, MatchConfig.path("/" + id), upstream)
                .withResilience(new RouteResilience(retry, null, 5, onFailure));
    }

    private Gateway start(List<RouteConfig> routes, UpstreamConfig... upstreams) {
        GatewayConfig config = new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                routes,
                Arrays.stream(upstreams).collect(Collectors.toMap(UpstreamConfig::name, u -> u)),
                null,
                AccessLogConfig.DEFAULT);
        Gateway gateway = Gateway.start(config, FilterSet.EMPTY, metrics);
        metrics.bind(gateway);
        return gateway;
    }

    private static RawClient client(Gateway gateway) throws Exception {
        return RawClient.connect(gateway.address("main"));
    }

    private static ScriptedOrigin answering(int status) {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.of(status, "x")));
    }

    private PrometheusText scrape() throws Exception {
        return PrometheusText.read(
                metrics.scrape(MetricsFormat.PROMETHEUS, THREAD).get(10, TimeUnit.SECONDS));
    }

    private static double of(PrometheusText text, String name, String... further) {
        String[] labels = new String[further.length + 2];
        labels[0] = "upstream";
        labels[1] = "u";
        System.arraycopy(further, 0, labels, 2, further.length);
        return text.value("lychgate_" + name, labels);
    }

    @Test
    void countsAttemptsByOutcomeAndMissingRetriesByReason() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.method().equals("PUT")) {
                        c.reset();
                        return;
                    }
                    c.send(Responses.of(r.method().equals("DELETE") ? 503 : 200, "x"));
                });
                Gateway gateway = start(
                        List.of(
                                route("plain", "u", null, OnFailure.FAIL_FAST),
                                route("tried", "u", retry(3, null), OnFailure.FAIL_FAST)),
                        upstream("u", budget(GENEROUS), origin.port()));
                RawClient client = client(gateway)) {
            for (int i = 0; i < 5; i++) {
                client.get("/plain");
            }
            client.send("PUT /plain HTTP/1.1\r\nHost: a\r\n\r\n").readResponse();
            for (int i = 0; i < 2; i++) {
                client.send("DELETE /tried HTTP/1.1\r\nHost: a\r\n\r\n").readResponse();
            }
            PrometheusText text = scrape();

            assertThat(of(text, "attempts_total", "ending", "success")).isEqualTo(5);
            // The reset attempt on a pooled connection was retried at once; the other two were sent three times each.
            assertThat(of(text, "attempts_total", "ending", "failure")).isEqualTo(2 + 6);
            assertThat(of(text, "attempts_total", "ending", "timeout")).isZero();
            assertThat(of(text, "attempts_total", "ending", "ignored")).isZero();
            assertThat(of(text, "attempts_under_way")).isZero();
            assertThat(of(text, "retries_total", "kind", "stale")).isEqualTo(1);
            assertThat(of(text, "retries_total", "kind", "retry")).isEqualTo(4);
            assertThat(of(text, "retries_total", "kind", "hedge")).isZero();
            assertThat(of(text, "retries_refused_total", "kind", "retry", "reason", "no-policy"))
                    .isEqualTo(1);
            assertThat(of(text, "retries_refused_total", "kind", "retry", "reason", "attempts-used"))
                    .isEqualTo(2);
            assertThat(of(text, "retry_budget_total", "result", "spent")).isEqualTo(4);
            assertThat(of(text, "retry_budget_total", "result", "refused")).isZero();
            assertThat(text.has("lychgate_breaker_position", "upstream", "u")).isFalse();
            assertThat(text.has("lychgate_limit", "upstream", "u")).isFalse();
            assertThat(text.has("lychgate_bulkhead_in_use", "upstream", "u")).isFalse();
        }
    }

    @Test
    void reportsAnExhaustedBudget() throws Exception {
        try (ScriptedOrigin origin = answering(503);
                Gateway gateway = start(
                        List.of(route("tried", "u", retry(3, null), OnFailure.FAIL_FAST)),
                        upstream("u", budget(new RetryBudgetConfig(new Percent(0), 0)), origin.port()));
                RawClient client = client(gateway)) {
            for (int i = 0; i < 3; i++) {
                client.get("/tried");
            }
            PrometheusText text = scrape();

            assertThat(of(text, "retries_total", "kind", "retry")).isZero();
            assertThat(of(text, "retry_budget_total", "result", "spent")).isZero();
            assertThat(of(text, "retry_budget_total", "result", "refused")).isEqualTo(3);
            assertThat(of(text, "retries_refused_total", "kind", "retry", "reason", "budget-spent"))
                    .isEqualTo(3);
        }
    }

    @Test
    void countsHedgesAndWinningHedges() throws Exception {
        Gate gate = new Gate();
        RequestScript slow = (r, c) -> c.stallUntil(gate).send(Responses.ok("slow"));
        RetryConfig hedged = retry(2, new RetryConfig.Hedge(Duration.ofSeconds(1), 0));
        try (ScriptedOrigin first = ScriptedOrigin.answering(slow);
                ScriptedOrigin second = answering(200);
                Gateway gateway = start(
                        List.of(route("hedged", "u", hedged, OnFailure.FAIL_FAST)),
                        upstream("u", budget(GENEROUS), first.port(), second.port()));
                RawClient client = client(gateway)) {
            // Each makes one full round, so the next one begins at the same endpoint.
            for (int i = 0; i < 2; i++) {
                assertThat(client.get("/hedged").body()).isEqualTo("x");
            }
            assertThat(first.awaitRequests(2)).hasSize(2);
            PrometheusText text = scrape();
            assertThat(of(text, "retries_total", "kind", "hedge")).isEqualTo(2);
            assertThat(of(text, "hedges_won_total")).isEqualTo(2);
            assertThat(of(text, "retry_budget_total", "result", "spent")).isEqualTo(2);
            assertThat(of(text, "attempts_total", "ending", "ignored")).isEqualTo(2);
            gate.open();
        }
    }

    @Test
    void showsTheStateOfTheCircuitAndHowOftenItOpened() throws Exception {
        BreakerConfig breaker =
                new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 4, Duration.ofSeconds(60), false);
        try (ScriptedOrigin origin = answering(500);
                Gateway gateway = start(
                        List.of(route("r", "u", null, OnFailure.FAIL_FAST)),
                        upstream("u", new UpstreamResilience(GENEROUS, breaker, null, null), origin.port()));
                RawClient client = client(gateway)) {
            client.get("/r");
            PrometheusText before = scrape();
            assertThat(position(before, "-", "closed")).isEqualTo(1);
            assertThat(position(before, "-", "open")).isZero();
            assertThat(of(before, "breaker_openings_total", "endpoint", "-")).isZero();

            for (int i = 0; i < 5; i++) {
                client.get("/r");
            }
            PrometheusText after = scrape();
            assertThat(position(after, "-", "closed")).isZero();
            assertThat(position(after, "-", "open")).isEqualTo(1);
            assertThat(position(after, "-", "half-open")).isZero();
            assertThat(of(after, "breaker_openings_total", "endpoint", "-")).isEqualTo(1);
            assertThat(of(after, "attempts_total", "ending", "failure")).isEqualTo(4);
            assertThat(of(after, "attempts_refused_total", "reason", "circuit-open"))
                    .isEqualTo(2);
            assertThat(onFailure(after, "r", "fail-fast", "circuit-open")).isEqualTo(2);
        }
    }

    @Test
    void showsTheCircuitOfEachEndpoint() throws Exception {
        BreakerConfig each =
                new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 2, Duration.ofSeconds(60), true);
        try (ScriptedOrigin bad = answering(500);
                ScriptedOrigin good = answering(200);
                Gateway gateway = start(
                        List.of(route("r", "u", null, OnFailure.FAIL_FAST)),
                        upstream("u", new UpstreamResilience(GENEROUS, each, null, null), bad.port(), good.port()));
                RawClient client = client(gateway)) {
            for (int i = 0; i < 8; i++) {
                client.get("/r");
            }
            PrometheusText text = scrape();

            assertThat(position(text, "127.0.0.1:" + bad.port(), "open")).isEqualTo(1);
            assertThat(position(text, "127.0.0.1:" + good.port(), "closed")).isEqualTo(1);
            assertThat(of(text, "breaker_openings_total", "endpoint", "127.0.0.1:" + bad.port()))
                    .isEqualTo(1);
        }
    }

    private static double position(PrometheusText text, String endpoint, String position) {
        return of(text, "breaker_position", "endpoint", endpoint, "position", position);
    }

    @Test
    void showsRunningAttemptsAndTheLimit() throws Exception {
        Gate gate = new Gate();
        UpstreamResilience guarded = new UpstreamResilience(
                GENEROUS, null, new BulkheadConfig(2), new LimitConfig(LimitConfig.Adaptive.VEGAS, 3, 40));
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("x")));
                Gateway gateway = start(
                        List.of(route("r", "u", null, OnFailure.FAIL_FAST)), upstream("u", guarded, origin.port()));
                RawClient first = client(gateway);
                RawClient second = client(gateway);
                RawClient third = client(gateway)) {
            first.send("GET /r HTTP/1.1\r\nHost: a\r\n\r\n");
            second.send("GET /r HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(2);
            assertThat(third.get("/r").status()).isEqualTo(503);
            PrometheusText full = scrape();
            assertThat(of(full, "bulkhead_in_use")).isEqualTo(2);
            assertThat(of(full, "attempts_under_way")).isEqualTo(2);
            assertThat(of(full, "attempts_refused_total", "reason", "bulkhead-full"))
                    .isEqualTo(1);
            assertThat(of(full, "attempts_refused_total", "reason", "concurrency-limited"))
                    .isZero();
            assertThat(of(full, "limit")).isEqualTo(30);

            gate.open();
            first.readResponse();
            second.readResponse();
            PrometheusText empty = scrape();
            assertThat(of(empty, "bulkhead_in_use")).isZero();
            assertThat(of(empty, "attempts_under_way")).isZero();
        }
    }

    @Test
    void countsActionsAfterFailures() throws Exception {
        RouteAction respond = new RouteAction.Respond(200, Map.of(), "yesterday's news");
        try (RefusingPort refusing = new RefusingPort();
                ScriptedOrigin broken = answering(500);
                ScriptedOrigin elsewhere = answering(200);
                Gateway gateway = start(
                        List.of(
                                route("fast", "u", null, OnFailure.FAIL_FAST),
                                route("silent", "u", null, new OnFailure(OnFailure.silent(204), Set.of())),
                                route("fixed", "broken", null, new OnFailure(respond, Set.of(500))),
                                route("other", "u", null, new OnFailure(new RouteAction.Proxy("else"), Set.of()))),
                        upstream("u", budget(GENEROUS), refusing.address().getPort()),
                        upstream("broken", budget(GENEROUS), broken.port()),
                        upstream("else", budget(GENEROUS), elsewhere.port()));
                RawClient client = client(gateway)) {
            assertThat(client.get("/fast").status()).isEqualTo(502);
            assertThat(client.get("/silent").status()).isEqualTo(204);
            assertThat(client.get("/fixed").status()).isEqualTo(200);
            assertThat(client.get("/other").status()).isEqualTo(200);
            PrometheusText text = scrape();

            assertThat(onFailure(text, "fast", "fail-fast", "connect-refused")).isEqualTo(1);
            assertThat(onFailure(text, "silent", "fail-silent", "connect-refused"))
                    .isEqualTo(1);
            assertThat(onFailure(text, "fixed", "respond", "status")).isEqualTo(1);
            assertThat(onFailure(text, "other", "upstream", "connect-refused")).isEqualTo(1);
        }
    }

    private static double onFailure(PrometheusText text, String route, String action, String reason) {
        return text.value("lychgate_on_failure_total", "route", route, "action", action, "reason", reason);
    }
}
