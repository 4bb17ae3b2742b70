package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of filters in the file apply to the gateway that runs with it. */
@Tag("slow")
class FiltersOfTheFileTest {
    private static final String REST = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes: [{ id: hello, match: { path: "/**" }, respond: { body: hello } }]
            """;

    @TempDir
    Path home = Path.of("");

    @Test
    void clientsWithTheSecretReceiveTheTraceOfFilters() throws Exception {
        filter("inbound/tier.groovy", "filter { it.request.headers['x-tier'] = 'gold' }");
        Path file = file("""
                filters:
                  directory: filters
                  trace: { header: x-follow, secret: "${SECRET}", match: { path: /watched } }
                """);
        FileGateway<Lychgate> files =
                FileGateway.start(file, name -> name.equals("SECRET") ? "0123456789abcdef" : null, Lychgate::start);
        try (Lychgate gateway = files.gateway();
                RawClient client = connect(gateway.port("main"))) {
            RawMessage told = client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Follow: 0123456789abcdef\r\n\r\n")
                    .readResponse();
            assertThat(told.value("x-follow").orElseThrow())
                    .contains("\"filter\":\"tier\"")
                    .contains("x-tier: none -> gold");
            assertThat(client.get("/watched").has("x-follow")).isFalse();
        } finally {
            files.close();
        }
    }

    @Test
    void anInvalidTraceIsRefusedWithItsPlace() throws Exception {
        Path file = file("filters: { trace: { match: { path: 'regex:(' } } }\n");
        assertThatThrownBy(() -> FileGateway.check(file, name -> null, times -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(file + ":3:36: filters.trace.match.path: regex:( (expected: ");
    }

    @Test
    void aBuildBeyondTheConfiguredTimeoutIsRefused() throws Exception {
        filter("inbound/endless.groovy", "while (order > -1) { Thread.sleep(10) }\nint getOrder() { 0 }\nfilter { }");
        Path file = file("filters: { directory: filters, build-timeout: 1s }\n");
        assertThatThrownBy(() -> FileGateway.check(file, name -> null, times -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("the build exceeded filters.build-timeout (1s) and was abandoned");
    }

    private Path file(String filters) throws Exception {
        return Files.writeString(home.resolve("gateway.yml"), REST + filters);
    }

    private void filter(String name, String text) throws Exception {
        Path file = home.resolve("filters").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private static RawClient connect(int port) throws Exception {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
}
