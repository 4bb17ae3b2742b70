package dev.lychgate.server.metrics;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.channel.DefaultEventLoop;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class GatewayMetricsTest {
    private static final long LONGEST_STUCK = TimeUnit.SECONDS.toNanos(20);
    private static final ScheduledExecutorService THREAD = new DefaultEventLoop();

    @AfterAll
    static void stop() {
        THREAD.shutdownNow();
    }

    @Test
    void aFailingMetricDoesNotAffectOthers() throws Exception {
        GatewayMetrics metrics = new GatewayMetrics();
        metrics.counter("parcels", "what comes", () -> 3);
        metrics.gauge("parcels", "the same name, another type", () -> 4);
        metrics.counter("letters", "what comes, too", () -> 5);
        PrometheusText text = scrape(metrics);
        assertThat(text.value("parcels_total")).isEqualTo(3);
        assertThat(text.value("letters_total")).isEqualTo(5);
        metrics.gauge("letters", "again, when there are figures", () -> 6);
        assertThat(scrape(metrics).value("letters_total")).isEqualTo(5);
    }

    @Test
    void showsTheEffectsOfRealTraffic() throws Exception {
        GatewayMetrics metrics = new GatewayMetrics();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) ->
                        c.send(Responses.of(request.target().endsWith("broken") ? 503 : 200, "hello")));
                Gateway gateway = Gateway.start(Gateways.to(origin.port()), FilterSet.EMPTY, metrics)) {
            metrics.bind(gateway);
            for (int i = 0; i < 4; i++) {
                // Connections are assigned to the two loops in turn.
                try (RawClient client = RawClient.connect(gateway.address("main"))) {
                    for (int j = 0; j < 5; j++) {
                        client.send("POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")
                                .readResponse();
                    }
                    client.get("/api/broken");
                    client.get("/nowhere");
                    client.send("not http\r\n\r\n").readResponse();
                }
            }
            PrometheusText text = scrape(metrics);

            assertThat(requests(text, "api", "2xx", "none", "none")).isEqualTo(20);
            assertThat(requests(text, "api", "5xx", "none", "none")).isEqualTo(4);
            assertThat(requests(text, "-", "4xx", "no-route", "downstream")).isEqualTo(4);
            assertThat(requests(text, "-", "4xx", "malformed-request", "downstream"))
                    .isEqualTo(4);
            assertThat(text.value("lychgate_request_bytes_total", "route", "api"))
                    .isEqualTo(60);
            assertThat(text.value("lychgate_response_bytes_total", "route", "api"))
                    .isEqualTo(120);
            assertThat(text.value("lychgate_request_duration_seconds_count", "route", "api"))
                    .isEqualTo(24);
            assertThat(text.value("lychgate_request_duration_seconds_bucket", "route", "api", "le", "+Inf"))
                    .isEqualTo(24);
            assertThat(text.value("lychgate_request_duration_seconds_bucket", "route", "api", "le", "30.0"))
                    .isEqualTo(24);
            assertThat(text.value("lychgate_request_duration_seconds_sum", "route", "api"))
                    .isPositive();
            for (String phase : List.of("inbound", "connection", "origin", "outbound", "body")) {
                assertThat(text.value("lychgate_request_phase_seconds_count", "route", "api", "phase", phase))
                        .as(phase)
                        .isEqualTo(24);
            }
            assertThat(text.value("lychgate_request_phase_seconds_count", "route", "api", "phase", "upload"))
                    .as("those with a body")
                    .isEqualTo(20);
            assertThat(text.value("lychgate_request_phase_seconds_count", "route", "-", "phase", "inbound"))
                    .as("requests without a route")
                    .isEqualTo(8);

            String endpoint = "127.0.0.1:" + origin.port();
            double created = text.value("lychgate_pool_opened_total", "upstream", "live", "endpoint", endpoint);
            assertThat(created).isEqualTo(origin.connectionsAccepted());
            assertThat(text.value("lychgate_pool_reused_total", "upstream", "live", "endpoint", endpoint))
                    .isEqualTo(24 - created);
            assertThat(connections(text, endpoint, "idle")).isEqualTo(created);
            assertThat(connections(text, endpoint, "busy")).isZero();
            assertThat(connections(text, endpoint, "connecting")).isZero();
            assertThat(text.value("lychgate_pool_pending", "upstream", "live", "endpoint", endpoint))
                    .isZero();
            assertThat(text.value("lychgate_endpoint_share", "upstream", "live", "endpoint", endpoint))
                    .isEqualTo(1);
            assertThat(text.value("lychgate_endpoint_ejected", "upstream", "live", "endpoint", endpoint))
                    .isZero();
            assertThat(text.value(
                            "lychgate_endpoint_health", "upstream", "live", "endpoint", endpoint, "health", "unknown"))
                    .isEqualTo(1);
            assertThat(text.value(
                            "lychgate_endpoint_admin", "upstream", "live", "endpoint", endpoint, "admin", "draining"))
                    .isZero();
            assertThat(text.value("lychgate_listener_accepted_total", "listener", "main"))
                    .isEqualTo(4);
            assertThat(text.value("lychgate_generation")).isEqualTo(1);
            assertThat(text.value("lychgate_loops_silent")).isZero();
            assertThat(text.has("jvm_memory_used_bytes", "area", "heap")).isTrue();
            assertThat(text.value("lychgate_buffers_bytes", "area", "direct", "state", "reserved") > 0)
                    .isTrue();
        }
    }

    @Test
    void keepsCountersOverGenerationsAndDropsRemovedPools() throws Exception {
        GatewayMetrics metrics = new GatewayMetrics();
        try (ScriptedOrigin first = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("1")));
                ScriptedOrigin second = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("2")));
                Gateway gateway = Gateway.start(Gateways.to(first.port()), FilterSet.EMPTY, metrics)) {
            metrics.bind(gateway);
            get(gateway);
            assertThat(scrape(metrics).has("lychgate_pool_opened_total", "endpoint", "127.0.0.1:" + first.port()))
                    .isTrue();

            gateway.apply(Gateways.to(second.port()));
            for (int i = 0; i < 4; i++) {
                get(gateway);
            }
            PrometheusText text = scrape(metrics);
            assertThat(requests(text, "api", "2xx", "none", "none")).isEqualTo(5);
            assertThat(text.value("lychgate_generation")).isEqualTo(2);
            assertThat(text.has("lychgate_pool_opened_total", "endpoint", "127.0.0.1:" + second.port()))
                    .isTrue();
            first.awaitOpenConnections(0);
            gateway.apply(Gateways.to(second.port(), "other"));
            for (int i = 0; i < 4; i++) {
                get(gateway);
            }
            text = scrape(metrics);
            assertThat(requests(text, "api", "2xx", "none", "none")).isEqualTo(5);
            assertThat(requests(text, "other", "2xx", "none", "none")).isEqualTo(4);
            assertThat(text.has("lychgate_pool_opened_total", "endpoint", "127.0.0.1:" + first.port()))
                    .isFalse();
        }
    }

    @Test
    void doesNotWaitEndlesslyForABlockedLoop() throws Exception {
        GatewayMetrics metrics = new GatewayMetrics();
        AtomicBoolean released = new AtomicBoolean();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("1")));
                Gateway gateway =
                        Gateway.start(Gateways.to(origin.port()), FilterSet.of(new Stuck(released)), metrics);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            metrics.bind(gateway);
            client.get("/api/fine");
            assertThat(requests(scrape(metrics), "api", "2xx", "none", "none")).isEqualTo(1);
            client.send("GET /api/stuck HTTP/1.1\r\nHost: a\r\n\r\n");
            PrometheusText text = scrape(metrics);
            for (int i = 0; i < 100 && text.value("lychgate_loops_silent") == 0; i++) {
                text = scrape(metrics);
            }
            assertThat(text.value("lychgate_loops_silent")).isEqualTo(1);
            assertThat(requests(text, "api", "2xx", "none", "none")).isEqualTo(1);
            released.set(true);
            client.readResponse();
            eventually(() ->
                    assertThat(scrape(metrics).value("lychgate_loops_silent")).isZero());
        }
        assertThat(scrape(metrics).value("lychgate_loops_silent")).isEqualTo(2);
    }

    private record Stuck(AtomicBoolean released) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            boolean stuck = exchange.getRequest().getPath().equals("/api/stuck");
            long began = System.nanoTime();
            // Busy instead of blocked, because the check for blocked loops fails any wait at once.
            while (stuck && !released.get()) {
                stuck = System.nanoTime() - began < LONGEST_STUCK;
            }
            return exchange.proceed();
        }
    }

    private static void get(Gateway gateway) throws Exception {
        try (RawClient client = RawClient.connect(gateway.address("main"))) {
            assertThat(client.get("/api/x").status()).isEqualTo(200);
        }
    }

    private static PrometheusText scrape(GatewayMetrics metrics) throws Exception {
        return PrometheusText.read(
                metrics.scrape(MetricsFormat.PROMETHEUS, THREAD).get(10, TimeUnit.SECONDS));
    }

    private static double requests(PrometheusText text, String route, String status, String error, String side) {
        return text.value("lychgate_requests_total", "route", route, "status", status, "error", error, "side", side);
    }

    private static double connections(PrometheusText text, String endpoint, String state) {
        return text.value("lychgate_pool_connections", "upstream", "live", "endpoint", endpoint, "state", state);
    }
}
