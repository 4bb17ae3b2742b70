package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
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

/** Runs the configuration under "Predicates" of docs/configuration.md on real sockets. */
@SuppressWarnings("NullAway.Init") // by JUnit
@Tag("slow")
class DocumentedPredicatesTest {
    @TempDir
    Path directory;

    private FileGateway<Lychgate> gateway;

    @BeforeEach
    void start() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        String section = page.substring(page.indexOf("\n### Predicates\n"), page.indexOf("\n### Guarded routes\n"));
        String yaml = section.substring(section.indexOf("```yaml\n") + 8, section.lastIndexOf("```"));
        // Peers with any address connect by the PROXY protocol.
        String served = Snippets.onFreePorts(yaml)
                .replace("127.0.0.1:8082", "127.0.0.1:0")
                .replace("trusted-proxies:", "proxy-protocol: { from: [\"127.0.0.0/8\"] }, trusted-proxies:");
        assertThat(served).contains("proxy-protocol:");
        gateway = FileGateway.start(
                Files.writeString(directory.resolve("gateway.yml"), served), name -> null, Lychgate::start);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void matchesTheListener() throws Exception {
        assertThat(internal("/status").body()).isEqualTo("up");
        assertThat(internal("/other").body()).isEqualTo("stable");
        assertThat(fromPeer("10.0.0.1", "/status", "X-Forwarded-Proto: https").body())
                .isEqualTo("stable");
    }

    @Test
    void matchesTheSchemeThatATrustedProxyStates() throws Exception {
        RawMessage redirected = fromPeer("10.0.0.1", "/a?b");
        assertThat(redirected.status()).isEqualTo(308);
        assertThat(redirected.value("location")).contains("https://a.test/a?b");
        assertThat(fromPeer("10.0.0.1", "/a", "X-Forwarded-Proto: https").status())
                .isEqualTo(200);
        assertThat(fromPeer("10.0.0.1", "/a", "X-Forwarded-Proto: http, HTTPS").status())
                .isEqualTo(200);
        assertThat(fromPeer("10.0.0.1", "/a", "X-Forwarded-Proto: https", "X-Forwarded-Proto: http")
                        .status())
                .isEqualTo(308);
    }

    @Test
    void ignoresTheSchemeOfUntrustedClients() throws Exception {
        assertThat(fromPeer("192.0.2.1", "/a", "X-Forwarded-Proto: https").status())
                .isEqualTo(308);
    }

    @Test
    void doesNotMatchANegatedGroup() throws Exception {
        assertThat(fromPeer("192.0.2.1", "/.well-known/a").body()).isEqualTo("stable");
    }

    @Test
    void matchesOneOfSeveralGroups() throws Exception {
        assertThat(internal("/a", "Cookie: a=1; beta=yes").body()).isEqualTo("beta");
        assertThat(internal("/a", "Cookie: beta=YES").body()).isEqualTo("stable");
        assertThat(internal("/a", "X-Beta: yes").body()).isEqualTo("beta");
        assertThat(send("internal", "", "POST", "/a", "X-Beta: yes", "Content-Length: 0")
                        .body())
                .isEqualTo("stable");
    }

    private RawMessage internal(String path, String... fields) throws Exception {
        return send("internal", "", "GET", path, fields);
    }

    private RawMessage fromPeer(String address, String path, String... fields) throws Exception {
        return send("public", "PROXY TCP4 " + address + " 203.0.113.200 50000 8080\r\n", "GET", path, fields);
    }

    private RawMessage send(String listener, String preamble, String method, String path, String... fields)
            throws Exception {
        String head = method + " " + path + " HTTP/1.1\r\nHost: a.test\r\n" + String.join("\r\n", fields);
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port(listener)))) {
            return client.send(preamble + head + (fields.length == 0 ? "\r\n" : "\r\n\r\n"))
                    .readResponse();
        }
    }
}
