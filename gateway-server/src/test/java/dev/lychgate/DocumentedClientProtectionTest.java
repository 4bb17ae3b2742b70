package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.terminal.ClientsText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration, the list, the filter and the output of commands on the page about client protection. */
@Tag("slow")
class DocumentedClientProtectionTest {
    private static final Path PAGE = Path.of("../docs/client-protection.md");

    @TempDir
    Path home = Path.of("");

    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
        origin.close();
    }

    /** Returns the first block of the page that contains this text, without its fences and indentation. */
    private static String block(String part) throws Exception {
        Matcher block =
                Pattern.compile(" *```\\w*\n(.*?)\n *```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        while (block.find()) {
            if (block.group(1).contains(part)) {
                return block.group(1).stripIndent() + "\n";
            }
        }
        throw new AssertionError("no block with " + part);
    }

    private void start(String yaml) throws Exception {
        String here = yaml.replaceAll("127.0.0.1:808[01]", "127.0.0.1:0")
                .replace("127.0.0.1:9000", "127.0.0.1:" + origin.port())
                .replace(
                        "client-protection:\n",
                        "proxy-protocol: { from: [\"127.0.0.0/8\"] }\n    client-protection:\n");
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), here + "access-log: { format: off }\n"),
                name -> null,
                Lychgate::start);
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** @return the status; 0 if the connection is closed */
    private int request(String address, String target) throws Exception {
        try (RawClient client = connect(gateway.gateway().port("main"))) {
            return client.send("PROXY TCP4 " + address + " 203.0.113.1 50000 80\r\n")
                    .get(target)
                    .status();
        } catch (IOException e) {
            return 0;
        }
    }

    private List<String> admin(String method, String target, boolean bans) throws Exception {
        try (RawClient client = connect(gateway.gateway().adminPort())) {
            RawMessage response = client.send(method + " " + target
                            + " HTTP/1.1\r\nHost: localhost\r\nX-Lychgate-Admin: test\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
            JsonValue page = JsonValue.of(response.body());
            return bans ? ClientsText.bans(page) : ClientsText.lines(page);
        }
    }

    @Test
    void theConfigurationRefusesAndTheCommandsPrintAsDescribed() throws Exception {
        Files.createDirectories(home.resolve("lists"));
        Files.writeString(home.resolve("lists/abusers.txt"), block("# updated every hour"));
        start(block("client-protection:"));
        assertThat(request("198.51.100.1", "/")).isZero();
        assertThat(request("192.0.2.200", "/")).isEqualTo(200);
        List<String> set = admin("POST", "/bans?address=203.0.113.7&for=1h&reason=scans%20for%20logins", true);

        assertThat(admin("GET", "/clients", false))
                .isEqualTo(block("address list abusers").lines().toList());
        List<String> bans = admin("GET", "/bans", true);
        assertThat(bans).isEqualTo(set).hasSize(1);
        // Without access control, the operator has no name.
        assertThat(bans.get(0).replaceFirst("until \\S+ by operator \\S+:", "until T by operator N:"))
                .isEqualTo(block("by operator alice")
                        .strip()
                        .replaceFirst("until \\S+ by operator \\S+:", "until T by operator N:"));
    }

    @Test
    void theFilterBansAClient() throws Exception {
        Path filter = home.resolve("filters/inbound/Honeypot.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, block("// filters/inbound/Honeypot.groovy"));
        start("""
                listeners:
                  - name: main
                    address: "127.0.0.1:8080"
                    client-protection:
                      connections: 10
                admin: { address: "127.0.0.1:8081" }
                filters: { directory: filters }
                routes: [{ id: all, upstream: api }]
                upstreams: { api: { endpoints: ["http://127.0.0.1:9000"] } }
                """);
        assertThat(request("192.0.2.7", "/")).isEqualTo(200);
        assertThat(request("192.0.2.7", "/wp-login.php")).isEqualTo(404);
        assertThat(request("192.0.2.7", "/")).isZero();
        assertThat(request("192.0.2.8", "/")).isEqualTo(200);
    }

    /** The page states the part of an address that is a client, and the number of bans. */
    @Test
    void theDefaultsAreThoseOfThePage() throws Exception {
        GatewayConfig config = new ConfigReader(name -> null)
                .read("g.yml", "listeners: [{ name: a, address: 'localhost:1', client-protection: { ban: {} } }]\n")
                .config();
        assertThat(config.policies().clients()).isEqualTo(new ClientsConfig(32, 64, 65_536, 100_000));
        start("""
                listeners: [{ name: main, address: "127.0.0.1:8080" }]
                admin: { address: "127.0.0.1:8081" }
                """);
        assertThat(admin("GET", "/bans", true)).containsExactly("no client is banned");
        assertThat(admin("GET", "/clients", false)).contains("no listener has a client protection");
    }
}
