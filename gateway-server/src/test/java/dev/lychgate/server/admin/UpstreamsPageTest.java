package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.Lychgate;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The guards of upstreams in {@code /upstreams}, after traffic through a real gateway. */
class UpstreamsPageTest {
    private static BreakerConfig breaker(boolean perEndpoint) {
        return new BreakerConfig(new Percent(50), Duration.ofSeconds(60), 3, Duration.ofSeconds(60), perEndpoint);
    }

    private static String protectionAfter(int requests, UpstreamResilience resilience, ScriptedOrigin origin)
            throws Exception {
        try (Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .upstream(UpstreamConfig.of("u", new EndpointConfig("127.0.0.1", origin.port()))
                                .withResilience(resilience))
                        .route("all", "/**", "u")
                        .workers(1)
                        .admin("127.0.0.1:0")
                        .start();
                RawClient client = connect(gateway.port("main"));
                RawClient admin = connect(gateway.adminPort())) {
            for (int i = 0; i < requests; i++) {
                client.get("/");
            }
            String page = admin.send("GET /upstreams HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse()
                    .body();
            return page.substring(page.indexOf("\"protection\":"));
        }
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void showsTheCircuitAndTheLimitsOfTheGuards() throws Exception {
        UpstreamResilience all = new UpstreamResilience(
                new RetryBudgetConfig(new Percent(50), 0),
                breaker(false),
                new BulkheadConfig(7),
                new LimitConfig(LimitConfig.Adaptive.VEGAS, 3, 40));
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(500, "x")))) {
            assertThat(protectionAfter(2, all, origin))
                    .isEqualTo("\"protection\":{\"under_way\":0,\"breakers\":["
                            + "{\"position\":\"closed\",\"state\":\"auto\",\"attempts\":2,\"failures\":2,\"openings\":0}],"
                            + "\"bulkhead_in_use\":0,\"limit\":30,\"retry_budget_left\":1}}]}\n");
            assertThat(protectionAfter(6, all, origin))
                    .isEqualTo("\"protection\":{\"under_way\":0,\"breakers\":["
                            + "{\"position\":\"open\",\"state\":\"auto\",\"attempts\":0,\"failures\":0,\"openings\":1}],"
                            + "\"bulkhead_in_use\":0,\"limit\":30,\"retry_budget_left\":3}}]}\n");
        }
    }

    @Test
    void namesTheEndpointIfEachHasItsOwnCircuit() throws Exception {
        UpstreamResilience each =
                new UpstreamResilience(new RetryBudgetConfig(new Percent(0), 0), breaker(true), null, null);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")))) {
            assertThat(protectionAfter(2, each, origin))
                    .isEqualTo(
                            "\"protection\":{\"under_way\":0,\"breakers\":[{\"endpoint\":\"127.0.0.1:" + origin.port()
                                    + "\",\"position\":\"closed\",\"state\":\"auto\",\"attempts\":2,\"failures\":0,\"openings\":0}],"
                                    + "\"retry_budget_left\":0}}]}\n");
        }
    }

    @Test
    void reportsRateErrorsAndPercentilesOfEachEndpointSinceThePreviousPoll() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.of(r.target().equals("/bad") ? 500 : 200, "x")));
                Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .upstream(UpstreamConfig.of(
                                        "u",
                                        new EndpointConfig("127.0.0.1", origin.port()),
                                        new EndpointConfig("localhost", origin.port()))
                                .withBalance(BalanceConfig.of(Algorithm.ROUND_ROBIN)))
                        .route("all", "/**", "u")
                        .workers(1)
                        .admin("127.0.0.1:0")
                        .start();
                RawClient client = connect(gateway.port("main"));
                RawClient admin = connect(gateway.adminPort())) {
            client.get("/bad");
            JsonNode first = endpoints(admin);
            for (String target : List.of("/a", "/b", "/bad", "/c", "/d", "/bad", "/e", "/f")) {
                client.get(target);
            }
            JsonNode second = endpoints(admin);

            assertThat(first.path(0).path("rate").asDouble(-1))
                    .as("nothing to compare with")
                    .isZero();
            assertThat(first.path(0).has("p50_ms")).isFalse();
            double rate = second.path(0).path("rate").asDouble()
                    + second.path(1).path("rate").asDouble();
            double errors = second.path(0).path("error_rate").asDouble()
                    + second.path(1).path("error_rate").asDouble();
            assertThat(rate).isPositive();
            assertThat(errors / rate).as("2 of 8").isCloseTo(0.25, offset(0.001));
            for (JsonNode endpoint : second) {
                assertThat(endpoint.path("p50_ms").asDouble()).isPositive();
                assertThat(endpoint.path("p99_ms").asDouble())
                        .isGreaterThanOrEqualTo(endpoint.path("p50_ms").asDouble());
            }
        }
    }

    private static JsonNode endpoints(RawClient admin) throws Exception {
        String page = admin.send("GET /upstreams HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .readResponse()
                .body();
        return new ObjectMapper().readTree(page).at("/upstreams/0/endpoints");
    }
}
