package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.metrics.PrometheusText;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.terminal.ExplanationText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.OverloadText;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ladders of upstreams as operators see them: page, command, metrics and the explanation of a request. */
@Tag("slow")
class OverloadPagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path home = Path.of("");

    private final Gate gate = new Gate();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
        gate.await(Duration.ofMinutes(1));
        c.send(Responses.ok("x"));
    });
    private final List<RawClient> clients = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    private void start(String overload) throws Exception {
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        admin: { address: "127.0.0.1:0" }
                        access-log: { format: off }
                        workers: 1
                        %s
                        routes:
                          - { id: stored, match: { path: "/api/stored/**" }, priority: 3, cache: {}, upstream: api }
                          - { id: api, match: { path: "/api/**" }, priority: 3, upstream: api }
                          - { id: none, respond: {} }
                        upstreams:
                          api: { endpoints: ["http://127.0.0.1:%d"], bulkhead: { concurrent: 2 } }
                          idle: { endpoints: ["http://127.0.0.1:1"] }
                        """.formatted(overload, origin.port())),
                name -> null,
                Lychgate::start);
    }

    @AfterEach
    void end() throws Exception {
        gate.open();
        for (RawClient client : clients) {
            client.close();
        }
        gateway.gateway().close();
        gateway.close();
        origin.close();
    }

    private static RawClient client(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private RawMessage admin(String target) throws Exception {
        try (RawClient client = client(gateway.gateway().adminPort())) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
        }
    }

    private void overload() throws Exception {
        RawClient first = client(gateway.gateway().port("main"));
        clients.add(first);
        first.send("GET /api/1 HTTP/1.1\r\nHost: a\r\n\r\n");
        origin.awaitRequests(1);
        try (RawClient second = client(gateway.gateway().port("main"))) {
            assertThat(second.get("/api/2").status()).isEqualTo(503);
        }
    }

    private static List<String> withoutTimes(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("for [0-9.]+ s", "for N s"))
                .toList();
    }

    @Test
    void thePageHasEachLadderWithItsRungAndReason() throws Exception {
        start("overload: { hold: 1h, reserve: 50% }");
        overload();
        JsonNode ladders = JSON.readTree(admin("/overload").body()).path("overload");
        assertThat(ladders).hasSize(2);
        JsonNode api = ladders.get(0);
        assertThat(api.path("seconds").asDouble()).isBetween(0.0, 60.0);
        ((com.fasterxml.jackson.databind.node.ObjectNode) api).remove("seconds");
        assertThat(api.toString())
                .isEqualTo(
                        "{\"upstream\":\"api\",\"rung\":\"shed\",\"reason\":\"bulkhead-full\",\"limited\":0,\"shed\":1,"
                                + "\"rungs\":[{\"rung\":\"normal\",\"reached\":0},{\"rung\":\"limit\",\"reached\":0},"
                                + "{\"rung\":\"shed\",\"reached\":1},{\"rung\":\"brownout\",\"reached\":0}]}");
        assertThat(ladders.get(1).path("rung").asText()).isEqualTo("normal");
        assertThat(ladders.get(1).has("seconds")).isFalse();
        assertThat(ladders.get(1).has("reason")).isFalse();
    }

    @Test
    void theCommandPrintsTheLadders() throws Exception {
        start("overload: { hold: 1h, reserve: 50%, stale: {}, page: {} }");
        overload();
        assertThat(withoutTimes(
                        OverloadText.lines(JsonValue.of(admin("/overload").body()))))
                .containsExactly(
                        "api: shed for N s, bulkhead-full; shed 1, limited 0",
                        "    page      reached 0 times",
                        "    stale     reached 0 times",
                        "    brownout  reached 0 times",
                        "  > shed      reached 1 time",
                        "    limit     reached 0 times",
                        "    normal",
                        "idle: normal; shed 0, limited 0",
                        "    page      reached 0 times",
                        "    stale     reached 0 times",
                        "    brownout  reached 0 times",
                        "    shed      reached 0 times",
                        "    limit     reached 0 times",
                        "  > normal");
    }

    @Test
    void metricsHaveTheRungAndCountShedRequestsByPriority() throws Exception {
        start("overload: { hold: 1h, reserve: 50% }");
        PrometheusText before = PrometheusText.read(admin("/metrics").body());
        assertThat(before.value("lychgate_shed_total", "route", "api", "priority", "3"))
                .isZero();
        assertThat(before.value("lychgate_overload_rung", "upstream", "api")).isZero();
        overload();
        PrometheusText after = PrometheusText.read(admin("/metrics").body());
        assertThat(after.value("lychgate_overload_rung", "upstream", "api")).isEqualTo(2);
        assertThat(after.value("lychgate_overload_rung", "upstream", "idle")).isZero();
        assertThat(after.value("lychgate_overload_rungs_total", "upstream", "api", "rung", "shed"))
                .isOne();
        eventually(() -> assertThat(PrometheusText.read(admin("/metrics").body())
                        .value("lychgate_shed_total", "route", "api", "priority", "3"))
                .isOne());
    }

    @Test
    void theExplanationNamesThePriorityAndTheRung() throws Exception {
        start("overload: { hold: 1h, reserve: 50%, priority: { key: \"header:x-tier\", values: { gold: 9 } } }");
        overload();
        assertThat(lines("/explain?url=/api/1"))
                .contains("  overload: priority 3 of the route, upstream api: shed (bulkhead-full)");
        assertThat(lines("/explain?url=/api/1&header=x-tier:gold"))
                .contains("  overload: priority 9 by header:x-tier, upstream api: shed (bulkhead-full)");
        assertThat(lines("/explain?url=/other")).noneMatch(line -> line.contains("overload"));
    }

    @Test
    void theExplanationNamesTheEffectsOfTheRung() throws Exception {
        start(
                "overload: { hold: 1h, reserve: 50%, brownout: 100ms, stale: { after: 100ms, max-stale: 2h, below: 7 } }");
        overload();
        eventually(() -> {
            try (RawClient client = client(gateway.gateway().port("main"))) {
                assertThat(client.get("/api/2").status()).isEqualTo(503);
            }
            assertThat(lines("/explain?url=/api/1"))
                    .contains("  overload: priority 3 of the route, upstream api: stale (bulkhead-full), brown-out");
        });
        assertThat(lines("/explain?url=/api/stored/1"))
                .contains("  overload: priority 3 of the route, upstream api: stale (bulkhead-full), brown-out, stored "
                        + "responses up to 2h stale for priorities below 7");
        assertThat(PrometheusText.read(admin("/metrics").body()).value("lychgate_overload_rung", "upstream", "api"))
                .isEqualTo(4);
    }

    private List<String> lines(String target) throws Exception {
        return ExplanationText.lines(JsonValue.of(admin(target).body()));
    }

    @Test
    void withoutTheSectionThereAreNoLaddersAndNoMetrics() throws Exception {
        start("");
        assertThat(OverloadText.lines(JsonValue.of(admin("/overload").body())))
                .containsExactly("no reaction to overload is configured");
        assertThat(admin("/metrics").body()).doesNotContain("lychgate_overload", "lychgate_shed");
        assertThat(lines("/explain?url=/api/1")).noneMatch(line -> line.contains("overload"));
    }
}
