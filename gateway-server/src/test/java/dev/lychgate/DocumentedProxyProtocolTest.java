package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of docs/proxy-protocol.md. */
class DocumentedProxyProtocolTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private FileGateway<Lychgate> start(String yaml, ScriptedOrigin origin) throws Exception {
        String rest = "routes: [{ id: all, upstream: all }]\nupstreams: { all: { endpoints: [\"http://127.0.0.1:"
                + origin.port() + "\"] } }\n";
        return FileGateway.start(
                Files.writeString(directory.resolve("gateway.yml"), yaml + rest), name -> null, Lychgate::start);
    }

    private static RawClient client(FileGateway<Lychgate> gateway) throws Exception {
        return RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")));
    }

    @Test
    void fromProxiesInFront() throws Exception {
        List<String> snippets = Snippets.yaml("proxy-protocol.md");
        assertThat(snippets).hasSize(1);
        String yaml = Snippets.onFreePorts(snippets.get(0));
        String header = "PROXY TCP4 192.0.2.7 203.0.113.1 50000 8443\r\n";
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) ->
                c.send(Responses.ok(request.value("x-forwarded-for").orElse("") + " "
                        + request.value("x-forwarded-port").orElse(""))))) {
            try (FileGateway<Lychgate> gateway = start(yaml, origin);
                    RawClient client = client(gateway)) {
                // The test is none of those proxies.
                assertThat(client.get("/").body()).startsWith("127.0.0.1 ");
                try (RawClient pretender = client(gateway)) {
                    pretender.send(header);
                    assertThat(pretender.readResponse().status()).isEqualTo(400);
                }
                gateway.gateway().close();
            }
            String us = yaml.replace("10.0.0.0/24", "127.0.0.0/8");
            assertThat(us).isNotEqualTo(yaml);
            try (FileGateway<Lychgate> gateway = start(us, origin);
                    RawClient client = client(gateway)) {
                client.send(header);
                assertThat(client.get("/").body()).isEqualTo("192.0.2.7 8443");
                try (RawClient without = client(gateway)) {
                    without.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
                    assertThat(without.readUntilClose()).isEmpty();
                }
                gateway.gateway().close();
            }
        }
    }
}
