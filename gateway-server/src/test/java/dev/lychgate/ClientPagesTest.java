package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protection against single clients as operators see and change it, and lists whose files change. */
@Tag("slow")
class ClientPagesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VIEWER = "viewer-viewer-viewer";
    private static final String OPERATOR = "operator-operator-operator";
    private static final String LIMITED = "limited-limited-limited";
    private static final String RECORDER = "recorder-recorder-recorder";

    @TempDir
    Path home = Path.of("");

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
    }

    private Path configure(String more) throws Exception {
        Files.createDirectories(home.resolve("lists"));
        return Files.writeString(home.resolve("gateway.yml"), """
                listeners:
                  - name: main
                    address: "127.0.0.1:0"
                    proxy-protocol: { from: ["127.0.0.0/8"] }
                    client-protection: { deny: bad, connections: 20 }
                admin:
                  address: "127.0.0.1:0"
                  operators:
                    - { name: grafana, token: %s }
                    - { name: alice, roles: [operator], token: %s }
                    - { name: team, roles: [operator], routes: [api], token: %s }
                    - { name: debug, roles: [recorder], token: %s }
                access-log: { format: off }
                address-lists: { bad: { files: lists/bad.txt } }
                routes: [{ id: api, respond: { status: 200 } }]
                %s
                """.formatted(VIEWER, OPERATOR, LIMITED, RECORDER, more));
    }

    private void list(String text) throws IOException {
        Files.writeString(home.resolve("lists/bad.txt"), text);
    }

    private void start(String more) throws Exception {
        Path file = configure(more);
        list("192.0.2.0/24\n");
        gateway = FileGateway.start(file, name -> null, Lychgate::start);
    }

    private static RawClient client(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Sends a request as a client with an address.
     *
     * @return the status; 0 if the connection is closed
     */
    private int request(String address) throws Exception {
        try (RawClient client = client(gateway.gateway().port("main"))) {
            return client.send("PROXY TCP4 " + address + " 203.0.113.1 50000 80\r\n")
                    .get("/")
                    .status();
        } catch (IOException e) {
            return 0;
        }
    }

    private RawMessage admin(String token, String method, String target) throws Exception {
        try (RawClient client = client(gateway.gateway().adminPort())) {
            return client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nX-Lychgate-Admin: test\r\n"
                            + "Content-Length: 0\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                    .readResponse();
        }
    }

    private JsonNode page(String token, String target) throws Exception {
        return JSON.readTree(admin(token, "GET", target).body());
    }

    @Test
    void thePageHasSettingsAndRefusals() throws Exception {
        start("");
        assertThat(request("192.0.2.7")).isZero();
        assertThat(request("198.51.100.1")).isEqualTo(200);
        JsonNode page = page(VIEWER, "/clients");
        JsonNode listener = page.path("listeners").get(0);
        assertThat(listener.path("listener").asText()).isEqualTo("main");
        assertThat(listener.path("deny").toString()).isEqualTo("[\"bad\"]");
        assertThat(listener.path("connections").asInt()).isEqualTo(20);
        assertThat(listener.has("requests")).isFalse();
        assertThat(listener.path("refused").toString()).isEqualTo("{\"denied\":1}");
        assertThat(page.path("address_lists").toString()).isEqualTo("[{\"name\":\"bad\",\"blocks\":1}]");
        assertThat(page.path("bans").asInt()).isZero();
    }

    @Test
    void anOperatorBansAndEndsABan() throws Exception {
        start("");
        assertThat(request("198.51.100.1")).isEqualTo(200);
        RawMessage set = admin(OPERATOR, "POST", "/bans?address=198.51.100.1&for=1h&reason=scans%20for%20logins");
        assertThat(set.status()).isEqualTo(200);
        JsonNode ban = JSON.readTree(set.body());
        assertThat(ban.path("client").asText()).isEqualTo("198.51.100.1");
        assertThat(ban.path("author").asText()).isEqualTo("alice");
        assertThat(request("198.51.100.1")).isZero();
        JsonNode bans = page(RECORDER, "/bans").path("bans");
        assertThat(bans).hasSize(1);
        assertThat(bans.get(0).path("reason").asText()).isEqualTo("scans for logins");
        assertThat(bans.get(0).path("by").asText()).isEqualTo("operator");

        RawMessage ended = admin(OPERATOR, "POST", "/bans/end?address=198.51.100.1");
        assertThat(JSON.readTree(ended.body()).path("client").asText()).isEqualTo("198.51.100.1");
        assertThat(request("198.51.100.1")).isEqualTo(200);
        assertThat(admin(OPERATOR, "POST", "/bans/end?address=198.51.100.1").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        VIEWER + ", GET, /bans, 403",
        OPERATOR + ", GET, /bans, 403",
        RECORDER + ", POST, '/bans?address=192.0.2.1&for=1h&reason=x', 403",
        VIEWER + ", POST, '/bans?address=192.0.2.1&for=1h&reason=x', 403",
        LIMITED + ", POST, '/bans?address=192.0.2.1&for=1h&reason=x', 403",
        LIMITED + ", POST, /bans/end?address=192.0.2.1, 403",
        OPERATOR + ", POST, '/bans?address=example.org&for=1h&reason=x', 400",
        OPERATOR + ", POST, '/bans?address=192.0.2.0/24&for=1h&reason=x', 400",
        OPERATOR + ", POST, '/bans?address=192.0.2.1&for=721h&reason=x', 400",
        OPERATOR + ", POST, '/bans?address=192.0.2.1&for=0&reason=x', 400",
        OPERATOR + ", POST, '/bans?address=192.0.2.1&for=soon&reason=x', 400",
        OPERATOR + ", POST, '/bans?address=192.0.2.1&for=1h', 400",
        OPERATOR + ", POST, '/bans?address=192.0.2.1&for=1h&reason=a%0Ab', 400",
        OPERATOR + ", POST, '/bans?adress=192.0.2.1&for=1h&reason=x', 400",
    })
    void rolesLimitsAndValuesAreChecked(String token, String method, String target, int status) throws Exception {
        start("");
        assertThat(admin(token, method, target).status()).isEqualTo(status);
    }

    @Test
    void noMoreClientsAreBannedThanConfigured() throws Exception {
        start("clients: { max-bans: 1 }");
        assertThat(admin(OPERATOR, "POST", "/bans?address=192.0.2.1&for=1h&reason=x")
                        .status())
                .isEqualTo(200);
        assertThat(admin(OPERATOR, "POST", "/bans?address=192.0.2.2&for=1h&reason=x")
                        .status())
                .isEqualTo(409);
        assertThat(page(VIEWER, "/clients").path("bans_dropped").asInt()).isEqualTo(1);
    }

    @Test
    void anExplanationNamesTheReason() throws Exception {
        start("");
        JsonNode explained = page(VIEWER, "/explain?url=http://a/&client=192.0.2.7");
        assertThat(explained.path("client_refused").asText()).isEqualTo("denied");
        assertThat(page(VIEWER, "/explain?url=http://a/&client=198.51.100.1").has("client_refused"))
                .isFalse();
    }

    @Test
    void theMetricsHaveRefusalsListsAndBans() throws Exception {
        start("");
        assertThat(request("192.0.2.7")).isZero();
        admin(OPERATOR, "POST", "/bans?address=198.51.100.1&for=1h&reason=x");
        eventually(() -> assertThat(admin(VIEWER, "GET", "/metrics").body())
                .contains(
                        "lychgate_client_refusals_total{listener=\"main\",reason=\"denied\"} 1",
                        "lychgate_address_list_blocks{list=\"bad\"} 1",
                        "lychgate_bans_active 1",
                        "lychgate_bans_set_total{by=\"operator\"} 1"));
    }

    /** A list takes effect at once, also if changes of settings wait for a reload. */
    @ParameterizedTest
    @CsvSource({"watch: on", "watch: off", "'rollout: { steps: [1%, 100%], hold: 1h }'"})
    void aChangedListTakesEffectAtOnce(String more) throws Exception {
        start(more);
        assertThat(request("192.0.2.7")).isZero();
        list("198.51.100.0/24\n");
        eventually(() -> assertThat(request("198.51.100.1")).isZero());
        assertThat(request("192.0.2.7")).isEqualTo(200);
    }

    @Test
    void aMalformedListIsRefusedAndTheListInForceStays() throws Exception {
        start("");
        list("192.0.2.0/24\n198.51.100.0/24\nnot an address\n");
        eventually(() -> assertThat(page(VIEWER, "/generations").toString()).contains("bad.txt: line 3"));
        assertThat(request("192.0.2.7")).isZero();
        assertThat(request("198.51.100.1")).isEqualTo(200);
        list("198.51.100.0/24\n");
        eventually(() -> assertThat(request("198.51.100.1")).isZero());
    }

    @Test
    void aReloadChangesTheProtection() throws Exception {
        start("");
        assertThat(request("192.0.2.7")).isZero();
        Path file = home.resolve("gateway.yml");
        Files.writeString(file, Files.readString(file).replace("deny: bad", "allow: bad"));
        eventually(() -> assertThat(request("192.0.2.7")).isEqualTo(200));
        assertThat(request("198.51.100.1")).isZero();
    }
}
