package dev.lychgate.server.registries;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class OpenTsdbTest {
    private final WireMockServer receiver =
            new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());

    @BeforeEach
    void start() {
        receiver.start();
        receiver.stubFor(post(urlEqualTo("/api/put")).willReturn(aResponse().withStatus(204)));
    }

    @AfterEach
    void stop() {
        receiver.stop();
    }

    private MetricsConfig config() {
        return new MetricsConfig(
                false,
                ShownGateway.everySecond(
                        receiver.port(),
                        "/api/put",
                        Map.of("site", "fra1", "host", "edge-7"),
                        Map.of("authorization", "Basic c2VjcmV0")),
                null);
    }

    private List<JsonNode> rows() throws Exception {
        List<JsonNode> rows = new ArrayList<>();
        for (var request : receiver.findAll(postRequestedFor(urlEqualTo("/api/put")))) {
            assertThat(request.getBody().length).isLessThanOrEqualTo(8192);
            new ObjectMapper().readTree(request.getBody()).forEach(rows::add);
        }
        return rows;
    }

    private static boolean is(JsonNode row, String metric, String... tags) {
        boolean is = row.path("metric").asText().equals(metric);
        for (int i = 0; i < tags.length; i += 2) {
            is &= row.path("tags").path(tags[i]).asText().equals(tags[i + 1]);
        }
        return is;
    }

    @Test
    void receivesEveryMetricAsAValidRow() throws Exception {
        try (ShownGateway shown = new ShownGateway(config())) {
            shown.get(5);
            String endpoint = "127.0.0.1_" + shown.origin.port();
            eventually(() -> {
                List<JsonNode> rows = rows();
                assertThat(rows)
                        .anyMatch(row -> is(row, "lychgate_requests_total", "route", "api", "status", "2xx")
                                && row.path("value").asLong() == 5);
                assertThat(rows)
                        .anyMatch(row -> is(row, "lychgate_request_duration_seconds_count", "route", "api")
                                && row.path("value").asLong() == 5);
                assertThat(rows)
                        .anyMatch(row -> is(row, "lychgate_request_duration_seconds_p99", "route", "api")
                                && row.path("value").asDouble() > 0);
                assertThat(rows).anyMatch(row -> is(row, "lychgate_pool_connections", "endpoint", endpoint));
                assertThat(rows).anyMatch(row -> is(row, "lychgate_loops_silent", "host", "edge-7", "site", "fra1"));
            });
        }
        receiver.verify(postRequestedFor(urlEqualTo("/api/put"))
                .withHeader("authorization", equalTo("Basic c2VjcmV0"))
                .withHeader("content-type", equalTo("application/json")));
        long now = System.currentTimeMillis() / 1000;
        Set<String> once = new HashSet<>();
        for (JsonNode row : rows()) {
            assertThat(row.path("metric").asText()).matches("[a-zA-Z0-9._/-]+");
            assertThat(row.path("timestamp").asLong()).isBetween(now - 600, now);
            assertThat(row.path("value").isNumber()).isTrue();
            assertThat(row.path("tags").size()).isBetween(2, 8);
            row.path("tags").properties().forEach(tag -> {
                assertThat(tag.getKey()).matches("[a-zA-Z0-9._/-]+");
                assertThat(tag.getValue().asText()).matches("[a-zA-Z0-9._/-]+");
            });
            once.add(row.path("metric").asText());
        }
        assertThat(once).contains("jvm_memory_used_bytes", "lychgate_generation", "lychgate_push_waiting");
    }

    @Test
    void receivesTheLastValuesWhenTheGatewayStops() throws Exception {
        MetricsConfig seldom = new MetricsConfig(
                false,
                new MetricsPush(
                        URI.create("http://127.0.0.1:" + receiver.port() + "/api/put"),
                        Duration.ofHours(1),
                        Map.of(),
                        Map.of(),
                        Duration.ofSeconds(5),
                        ByteSize.ofMiB(1)),
                null);
        try (ShownGateway shown = new ShownGateway(seldom)) {
            shown.get(3);
            assertThat(rows()).isEmpty();
        }
        assertThat(rows())
                .anyMatch(row -> is(row, "lychgate_requests_total", "route", "api", "status", "2xx")
                        && row.path("value").asLong() == 3);
    }

    @Test
    void percentilesCoverTheIntervalAndAreOmittedWithoutValues() throws Exception {
        try (ShownGateway shown = new ShownGateway(config())) {
            shown.get(1);
            eventually(() -> assertThat(rows())
                    .anyMatch(row -> is(row, "lychgate_request_duration_seconds_p50", "route", "api")));
            // The values belong to one interval; the next ones have none.
            long counted = count("lychgate_request_duration_seconds_count");
            eventually(() ->
                    assertThat(count("lychgate_request_duration_seconds_count")).isGreaterThan(counted + 1));
            assertThat(count("lychgate_request_duration_seconds_p50")).isEqualTo(1);
        }
    }

    private long count(String metric) throws Exception {
        // Data with a late response is sent again.
        return rows().stream()
                .filter(row -> is(row, metric, "route", "api"))
                .map(row -> row.path("timestamp").asLong())
                .distinct()
                .count();
    }
}
