package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of {@code listeners[].paths}, as docs/configuration.md describes them, on the wire. */
class DocumentedPathsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    @ParameterizedTest
    @CsvSource(
            nullValues = "refused",
            value = {
                "allow-encoded-slash, /a%2Fb, /a%2Fb",
                "allow-backslash, /a\\b, /a%5Cb",
                "allow-backslash, /a%5Cb, /a%5Cb",
                "allow-control, /a%00b, /a%00b",
                "allow-control, /a%7Fb, /a%7Fb",
                "allow-dot-parameters, /a/..;x/b, /a/..;x/b",
                "allow-above-root, /../b, /b",
                "allow-non-ascii, /a%C0%AFb, /a%C0%AFb",
                "allow-non-ascii, /caf\u00e9, refused"
            })
    void anUnsafePathPassesOnlyIfItsKeyAllowsIt(String key, String sent, String forwarded) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok(request.target())))) {
            Path file = Files.writeString(directory.resolve("gateway.yml"), """
                    listeners:
                      - { name: strict, address: "127.0.0.1:0" }
                      - { name: open, address: "127.0.0.1:0", paths: { KEY: true } }
                    routes: [{ id: all, upstream: o }]
                    upstreams: { o: { endpoints: ["http://127.0.0.1:PORT"] } }
                    """.replace("KEY", key)
                    .replace("PORT", Integer.toString(origin.port())));
            try (FileGateway<Lychgate> gateway = FileGateway.start(file, name -> null, Lychgate::start)) {
                assertThat(ask(gateway, "strict", sent).status()).isEqualTo(400);
                RawMessage response = ask(gateway, "open", sent);
                assertThat(response.status()).isEqualTo(forwarded == null ? 400 : 200);
                if (forwarded != null) {
                    assertThat(response.body()).isEqualTo(forwarded);
                }
                gateway.gateway().close();
            }
        }
    }

    private static RawMessage ask(FileGateway<Lychgate> gateway, String listener, String target) throws Exception {
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port(listener));
        try (RawClient client = RawClient.connect(address)) {
            client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            return client.readResponse();
        }
    }
}
