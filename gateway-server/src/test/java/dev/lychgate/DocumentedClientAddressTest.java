package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the configurations and the table of docs/client-address.md. */
@Tag("slow")
class DocumentedClientAddressTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?:`(.*?)`|no such header.*?) \\| ([0-9.]+) \\|");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private FileGateway<Lychgate> start(String listeners, ScriptedOrigin origin) throws Exception {
        // Peers with any address come in by the PROXY protocol.
        String yaml = Snippets.onFreePorts(listeners)
                        .replaceAll(
                                "( +)trusted-proxies:",
                                "$1proxy-protocol: { from: [\"127.0.0.0/8\"] }\n$1trusted-proxies:")
                + """
                admin: { address: "127.0.0.1:0" }
                access-log: { file: %s }
                routes:
                  - { id: broken, match: { path: /broken }, upstream: nobody }
                  - { id: all, upstream: all }
                upstreams:
                  all: { endpoints: ["http://127.0.0.1:%d"] }
                  nobody: { endpoints: ["http://127.0.0.1:1"] }
                """.formatted(log(), origin.port());
        return FileGateway.start(
                Files.writeString(directory.resolve("gateway.yml"), yaml), name -> null, Lychgate::start);
    }

    private Path log() {
        return directory.resolve("access.log");
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((request, c) ->
                c.send(Responses.ok(request.value("x-forwarded-for").orElse(""))));
    }

    private static RawClient peer(FileGateway<Lychgate> gateway, String listener, String address) throws Exception {
        RawClient peer = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port(listener)));
        peer.send("PROXY TCP4 " + address + " 203.0.113.200 50000 8080\r\n");
        return peer;
    }

    private static String admin(FileGateway<Lychgate> gateway, String page) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.gateway().adminPort() + page);
        try (InputStream body = uri.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String get(String path, String field) {
        return "GET " + path + " HTTP/1.1\r\nHost: a.test\r\n" + field + "\r\n";
    }

    private List<String> logged() throws Exception {
        return Pattern.compile("\"client\":\"([^\"]*)\"")
                .matcher(Files.readString(log()))
                .results()
                .map((MatchResult line) -> line.group(1))
                .toList();
    }

    @Test
    void everyRowOfTheTableHolds() throws Exception {
        List<MatchResult> rows = ROW.matcher(Files.readString(Path.of("..", "docs", "client-address.md")))
                .results()
                .toList();
        assertThat(rows).hasSize(5);
        try (ScriptedOrigin origin = origin();
                FileGateway<Lychgate> gateway =
                        start(Snippets.yaml("client-address.md").get(0), origin);
                RawClient peer = peer(gateway, "main", "10.0.0.1")) {
            for (MatchResult row : rows) {
                String field = row.group(1) == null ? "" : "X-Forwarded-For: " + row.group(1) + "\r\n";
                assertThat(peer.send(get("/", field)).readResponse().body()).endsWith("10.0.0.1");
            }
            List<String> clients = rows.stream().map(row -> row.group(2)).toList();
            eventually(() -> assertThat(logged()).containsExactlyElementsOf(clients));
            gateway.gateway().close();
        }
    }

    @Test
    void theNamedHeaderOrForwardedIsRead() throws Exception {
        try (ScriptedOrigin origin = origin();
                FileGateway<Lychgate> gateway =
                        start(Snippets.yaml("client-address.md").get(1), origin);
                RawClient cdn = peer(gateway, "cdn", "203.0.113.7");
                RawClient proxy = peer(gateway, "rfc7239", "10.0.0.1")) {
            cdn.send(get("/", "CF-Connecting-IP: 192.0.2.7\r\nX-Forwarded-For: 6.6.6.6\r\n"));
            assertThat(cdn.readResponse().body()).isEqualTo("192.0.2.7, 203.0.113.7");
            proxy.send(get("/", "Forwarded: for=6.6.6.6, for=192.0.2.8, for=198.51.100.1\r\n"));
            assertThat(proxy.readResponse().body()).isEqualTo("192.0.2.8, 10.0.0.1");
            eventually(() -> assertThat(logged()).containsExactlyInAnyOrder("192.0.2.7", "192.0.2.8"));
            gateway.gateway().close();
        }
    }

    @Test
    void theRecorderAndTheMetricsShowIt() throws Exception {
        try (ScriptedOrigin origin = origin();
                FileGateway<Lychgate> gateway =
                        start(Snippets.yaml("client-address.md").get(0), origin);
                RawClient peer = peer(gateway, "main", "10.0.0.1")) {
            peer.send(get("/broken", "X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\n"));
            assertThat(peer.readResponse().status()).isEqualTo(502);
            eventually(() -> assertThat(admin(gateway, "/exchanges")).contains("\"client\":\"192.0.2.7\""));
            peer.send(get("/", "X-Forwarded-For: 192.0.2.7, unknown\r\nX-Real-IP: 6.6.6.6\r\n"));
            assertThat(peer.readResponse().status()).isEqualTo(200);
            String metrics = admin(gateway, "/metrics");
            String name = "lychgate_listener_client_address_failures_total{listener=\"main\",reason=";
            assertThat(metrics).contains(name + "\"unusable\"} 1").contains(name + "\"conflict\"} 1");
            gateway.gateway().close();
        }
    }
}
