package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.Lychgate;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars of filters in a gateway that follows its files. */
class FilterLibrariesTest {
    private static final Duration AT_MOST = Duration.ofSeconds(20);

    @TempDir
    Path home = Path.of("");

    private Path config = Path.of("");

    @BeforeEach
    void files() throws Exception {
        config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                filters: { directory: filters, libraries: ext }
                routes: [{ id: all, respond: { status: 204 } }]
                """);
        Files.createDirectories(home.resolve("ext"));
        Files.createDirectories(home.resolve("filters/outbound"));
        Files.writeString(
                home.resolve("filters/outbound/stamp.groovy"),
                "filter { it.response.headers['x-stamp'] = acme.Stamp.text() }\n");
    }

    private static ExtensionJars stamp(String text) {
        return ExtensionJars.library()
                .with("Implementation-Version", text)
                .compiled(Map.of(
                        "acme.Stamp",
                        "package acme; public class Stamp { public static String text() { return \"" + text
                                + "\"; } }"));
    }

    private void write(ExtensionJars jar, String path) throws Exception {
        Path whole = jar.write(home.resolve("new.jar"));
        Files.createDirectories(home.resolve(path).getParent());
        Files.move(whole, home.resolve(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private record Served(FileGateway<Lychgate> files) implements AutoCloseable {
        private String header(String name) throws Exception {
            try (RawClient client = connect(files.gateway().port("main"))) {
                return client.get("/").value(name).orElse("none");
            }
        }

        void awaits(String name, String value) throws Exception {
            long end = System.nanoTime() + AT_MOST.toNanos();
            while (System.nanoTime() < end && !header(name).equals(value)) {
                Thread.sleep(20);
            }
            assertThat(header(name)).isEqualTo(value);
        }

        String admin(String path) throws Exception {
            try (RawClient client = connect(files.gateway().adminPort())) {
                return client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        .readResponse()
                        .body();
            }
        }

        String rollbackTo(String target) throws Exception {
            try (RawClient client = connect(files.gateway().adminPort())) {
                return client.send("POST /rollback?" + target
                                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nx-lychgate-admin: test\r\nContent-Length: 0\r\n\r\n")
                        .readResponse()
                        .body();
            }
        }

        private static RawClient connect(int port) throws Exception {
            return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }

        @Override
        public void close() {
            files.gateway().close();
            files.close();
        }
    }

    private Served start() throws Exception {
        return new Served(FileGateway.start(config, name -> null, Lychgate::start));
    }

    @Test
    void aReplacedJarTakesEffectWithoutARestart() throws Exception {
        write(stamp("1"), "ext/stamp.jar");
        try (Served gateway = start()) {
            gateway.awaits("x-stamp", "1");
            write(stamp("2"), "ext/stamp.jar");
            gateway.awaits("x-stamp", "2");
            Files.delete(home.resolve("ext/stamp.jar"));
            write(stamp("3"), "filters/lib/stamp.jar");
            gateway.awaits("x-stamp", "3");
        }
    }

    @Test
    void aRollbackAfterARestartRestoresTheJarsOfAnEntryOfTheHistory() throws Exception {
        Files.writeString(config, "history: {}\n", StandardOpenOption.APPEND);
        write(stamp("1"), "ext/stamp.jar");
        try (Served gateway = start()) {
            gateway.awaits("x-stamp", "1");
            write(stamp("2"), "ext/stamp.jar");
            gateway.awaits("x-stamp", "2");
        }
        try (Served gateway = start()) {
            assertThat(gateway.rollbackTo("entry=1")).contains("\"running\":true");
            gateway.awaits("x-stamp", "1");
            // The jar of a generation in memory is still there for a copy of its filters.
            assertThat(gateway.rollbackTo("generation=1")).contains("\"running\":true");
            gateway.awaits("x-stamp", "2");
            assertThat(gateway.rollbackTo("generation=2")).contains("\"running\":true");
            gateway.awaits("x-stamp", "1");
        }
        assertThat(new LastGood(home.resolve(".lychgate/last-good")).read())
                .extracting(FilterSources::libraries, InstanceOfAssertFactories.list(FilterLibrary.class))
                .extracting(library -> library.jar().version())
                .containsExactly("1");
    }

    @Test
    void theFilterOfAnAddedJarRunsAndIsShownWithItsJar() throws Exception {
        write(stamp("1"), "ext/stamp.jar");
        try (Served gateway = start()) {
            gateway.awaits("x-java", "none");
            write(
                    ExtensionJars.library()
                            .compiled(Map.of(
                                    "acme.Java",
                                    """
                                    package acme;

                                    import dev.lychgate.filter.*;

                                    public final class Java implements OutboundFilter, SyncFilter {
                                        @Override
                                        public FilterOutcome filter(FilterExchange exchange) {
                                            exchange.getResponse().getHeaders().set("x-java", Text.text());
                                            return exchange.proceed();
                                        }
                                    }
                                    """,
                                    "acme.Text",
                                    "package acme; class Text { static String text() { return \"java\"; } }"))
                            .with(
                                    "META-INF/services/dev.lychgate.filter.Filter",
                                    "acme.Java".getBytes(StandardCharsets.UTF_8)),
                    "filters/a.jar");
            gateway.awaits("x-java", "java");
            assertThat(gateway.admin("/filters"))
                    .contains("\"source\":\"a.jar\"")
                    .containsPattern("\"file\":\"ext/stamp.jar\",\"digest\":\"[0-9a-f]{64}\",\"version\":\"1\"");
        }
    }

    @Test
    void aRestartUsesTheLastGoodCopyOfAJarThatIsTruncated() throws Exception {
        write(stamp("1"), "ext/stamp.jar");
        write(stamp("unused"), "filters/lib/other.jar");
        Files.delete(home.resolve("filters/lib/other.jar"));
        start().close();
        Path jar = home.resolve("ext/stamp.jar");
        byte[] whole = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(whole, whole.length / 2));
        try (Served gateway = start()) {
            assertThat(gateway.header("x-stamp")).isEqualTo("1");
            assertThat(gateway.admin("/generations")).contains("ext/stamp.jar: can't be read as a jar: ");
            Files.write(jar, whole);
            write(stamp("2"), "ext/stamp.jar");
            gateway.awaits("x-stamp", "2");
        }
        // The jars of earlier generations are deleted.
        assertThat(home.resolve(".lychgate/last-good/jars").toFile().list()).hasSize(1);
    }

    @Test
    void checkReportsConflictsAndRefusesWhatTheGatewayRefuses() throws Exception {
        write(stamp("1"), "ext/a.jar");
        write(stamp("2"), "ext/b.jar");
        assertThat(FileGateway.check(config, name -> null, times -> {}))
                .contains("ext/b.jar and ext/a.jar have the same class acme.Stamp; the classes of ext/a.jar are used");
        Files.writeString(home.resolve("ext/c.jar"), "no jar");
        assertThatThrownBy(() -> FileGateway.check(config, name -> null, times -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("ext/c.jar: can't be read as a jar: ");
    }

    @Test
    void anEmbeddedGatewayUsesTheJarsOfItsDirectory() throws Exception {
        write(stamp("1"), "filters/lib/stamp.jar");
        try (Lychgate gateway = Lychgate.builder()
                        .listener("main", "127.0.0.1:0")
                        .filters(home.resolve("filters"))
                        .start();
                RawClient client = Served.connect(gateway.port("main"))) {
            assertThat(client.get("/").value("x-stamp")).contains("1");
        }
    }
}
