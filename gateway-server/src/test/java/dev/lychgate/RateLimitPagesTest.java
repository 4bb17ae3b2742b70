package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.RateLimitsText;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rate limits as operators see them: pages, metrics and the explanation of a request. */
@Tag("slow")
class RateLimitPagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VIEWER = "viewer-viewer-viewer";
    private static final String RECORDER = "recorder-recorder-recorder";

    @TempDir
    Path home = Path.of("");

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    @BeforeEach
    void start() throws Exception {
        gateway = FileGateway.start(configure("3/h"), name -> null, Lychgate::start);
    }

    private Path configure(String tenants) throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0", rate-limit: flood }]
                admin:
                  address: "127.0.0.1:0"
                  operators:
                    - { name: grafana, token: %s }
                    - { name: debug, roles: [recorder], token: %s }
                access-log: { format: off }
                rate-limits:
                  flood: { limit: 1000/d, burst: 50 }
                  tenants: { key: ["header:x-tenant", route], limit: %s }
                  watched: { limit: 1/h, mode: shadow }
                routes:
                  - { id: api, rate-limit: [tenants, watched], respond: { status: 200 } }
                """.formatted(VIEWER, RECORDER, tenants));
    }

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
    }

    private static RawClient client(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private int request(String tenant) throws Exception {
        try (RawClient client = client(gateway.gateway().port("main"))) {
            return client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Tenant: " + tenant + "\r\n\r\n")
                    .readResponse()
                    .status();
        }
    }

    private RawMessage admin(String token, String target) throws Exception {
        try (RawClient client = client(gateway.gateway().adminPort())) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\n\r\n")
                    .readResponse();
        }
    }

    private JsonNode page(String token, String target) throws Exception {
        return JSON.readTree(admin(token, target).body());
    }

    private void fiveRequests() throws Exception {
        for (int status : new int[] {200, 200, 200, 429, 429}) {
            assertThat(request("acme")).isEqualTo(status);
        }
    }

    @Test
    void thePageHasSettingsAndCounts() throws Exception {
        fiveRequests();
        JsonNode limits = page(VIEWER, "/rate-limits").path("rate_limits");
        assertThat(limits).hasSize(3);
        assertThat(limits.get(0).toString())
                .isEqualTo(
                        "{\"name\":\"flood\",\"key\":[\"client\"],\"limit\":\"1000/d\",\"burst\":50,\"unit\":\"requests\","
                                + "\"mode\":\"enforce\",\"scope\":\"local\",\"listeners\":[\"main\"],\"routes\":[],\"admitted\":5,\"refused\":0,\"keys\":1,"
                                + "\"crowded\":0}");
        assertThat(limits.get(1).path("key").toString()).isEqualTo("[\"header:x-tenant\",\"route\"]");
        assertThat(limits.get(1).path("admitted").asInt()).isEqualTo(3);
        assertThat(limits.get(1).path("refused").asInt()).isEqualTo(2);
        // A refused request does not reach the limits after the one that refused it.
        assertThat(limits.get(2).path("mode").asText()).isEqualTo("shadow");
        assertThat(limits.get(2).path("admitted").asInt()).isEqualTo(1);
        assertThat(limits.get(2).path("refused").asInt()).isEqualTo(2);
    }

    @Test
    void onlyRecordersSeeTheKeys() throws Exception {
        fiveRequests();
        assertThat(admin(VIEWER, "/rate-limits/keys").status()).isEqualTo(403);
        JsonNode tenants = page(RECORDER, "/rate-limits/keys").at("/rate_limits/1");
        assertThat(tenants.toString())
                .isEqualTo(
                        "{\"name\":\"tenants\",\"keys\":[{\"key\":\"header x-tenant: acme, route api\",\"refused\":2}]}");
    }

    @Test
    void commandsPrintThePages() throws Exception {
        fiveRequests();
        assertThat(RateLimitsText.lines(
                        JsonValue.of(admin(VIEWER, "/rate-limits").body())))
                .containsExactly(
                        "flood: 1000/d requests by client, burst 50",
                        "  listeners: main",
                        "  admitted 5, beyond the limit 0, keys in use 1",
                        "tenants: 3/h requests by header:x-tenant, route, burst 3",
                        "  routes: api",
                        "  admitted 3, beyond the limit 2, keys in use 1",
                        "watched: 1/h requests by client, burst 1, shadow",
                        "  routes: api",
                        "  admitted 1, beyond the limit 2, keys in use 1");
        assertThat(RateLimitsText.lines(
                        JsonValue.of(admin(RECORDER, "/rate-limits/keys").body())))
                .containsExactly(
                        "flood", "tenants", "  2 header x-tenant: acme, route api", "watched", "  2 client 127.0.0.1");
    }

    @Test
    void metricsCountByOutcome() throws Exception {
        fiveRequests();
        eventually(() -> assertThat(admin(VIEWER, "/metrics").body())
                .contains(
                        "lychgate_rate_limit_requests_total{limit=\"tenants\",outcome=\"admitted\"} 3.0",
                        "lychgate_rate_limit_requests_total{limit=\"tenants\",outcome=\"refused\"} 2.0",
                        "lychgate_rate_limit_requests_total{limit=\"watched\",outcome=\"beyond\"} 2.0",
                        "lychgate_rate_limit_crowded_total{limit=\"flood\"} 0.0",
                        "lychgate_rate_limit_keys{limit=\"flood\"} 1.0"));
    }

    @Test
    void countsContinueWhenSettingsChange() throws Exception {
        fiveRequests();
        configure("4/h");
        assertThat(gateway.reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
        assertThat(request("acme")).isEqualTo(200);
        JsonNode tenants = page(VIEWER, "/rate-limits").at("/rate_limits/1");
        assertThat(tenants.path("limit").asText()).isEqualTo("4/h");
        assertThat(tenants.path("admitted").asInt()).isEqualTo(4);
        assertThat(tenants.path("refused").asInt()).isEqualTo(2);
    }

    @Test
    void theExplanationNamesTheLimits() throws Exception {
        assertThat(page(VIEWER, "/explain?url=/x").at("/meets/0/rate_limits").toString())
                .isEqualTo("[\"flood\",\"tenants\",\"watched\"]");
    }
}
