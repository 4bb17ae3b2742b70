package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.Lychgate;
import dev.lychgate.filters.groovy.Settling;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A gateway that watches its configuration file and its filters in a real directory. */
@Tag("slow")
class FileGatewayTest {
    private static final Duration AT_MOST = Duration.ofSeconds(60);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @TempDir
    Path home = Path.of("");

    private ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));
    private Path config = Path.of("");

    @BeforeEach
    void files() throws Exception {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        ((Logger) LoggerFactory.getLogger(Reloader.class)).addAppender(lines);
        config = home.resolve("gateway.yml");
        Files.createDirectories(home.resolve("filters/outbound"));
        configure("/**");
        filter("stamp", "filter { it.response.headers['x-stamp'] = '1' }");
    }

    @AfterEach
    void end() {
        ((Logger) LoggerFactory.getLogger(Reloader.class)).detachAppender(lines);
        origin.close();
    }

    private void configure(String path) throws Exception {
        write(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: all, match: { path: "%s" }, upstream: origin }]
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                admin: { address: "127.0.0.1:0" }
                """.formatted(path, origin.port()));
    }

    private void filter(String name, String text) throws Exception {
        write(home.resolve("filters/outbound/" + name + ".groovy"), text + "\n");
    }

    private static void write(Path file, String text) throws Exception {
        Path whole = Files.writeString(file.resolveSibling("." + file.getFileName() + ".new"), text);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private record Served(FileGateway<Lychgate> files) implements AutoCloseable {
        @Override
        public void close() {
            files.gateway().close();
            files.close();
        }
    }

    private Served start() throws Exception {
        return new Served(FileGateway.start(config, name -> null, Lychgate::start));
    }

    private static RawMessage generations(FileGateway<Lychgate> gateway) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().adminPort()))) {
            // The admin listener rejects names of other hosts.
            return client.send("GET /generations HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .readResponse();
        }
    }

    private static RawMessage get(FileGateway<Lychgate> gateway, String path) throws Exception {
        int port = gateway.gateway().port("main");
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.get(path);
        }
    }

    private static void await(FileGateway<Lychgate> gateway, String stamp) throws Exception {
        long end = System.nanoTime() + AT_MOST.toNanos();
        String seen = "";
        while (System.nanoTime() < end) {
            seen = get(gateway, "/").value("x-stamp").orElse("none");
            if (seen.equals(stamp)) {
                return;
            }
            Thread.sleep(20);
        }
        assertThat(seen).isEqualTo(stamp);
    }

    @Test
    void theCheckWarnsOfCallOutsToUnknownUpstreams() throws Exception {
        filter("calls", """
                async { exchange ->
                    def other = exchange.call('origin').get('/').send()
                    exchange.call('missing').get('/').send().thenCombine(other) { one, two -> exchange.proceed() }
                }
                """);
        assertThat(FileGateway.check(config, name -> null, times -> {}))
                .filteredOn(warning -> warning.contains("calls"))
                .singleElement()
                .asString()
                .startsWith("filters: outbound/calls.groovy:3:")
                .endsWith(": the filter calls missing, which is not configured, so each call fails");
    }

    private static HttpResponse<String> post(FileGateway<Lychgate> gateway, String target) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + gateway.gateway().adminPort() + target))
                                .header("x-lychgate-admin", "test")
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    /**
     * Writes a file in parts, with pauses that are long enough for a read of half a file.
     *
     * @return false if the machine was so slow that the file seemed complete before its end
     */
    private static boolean copySlowly(String text, int length, Duration pause, Path file) throws Exception {
        boolean steady = true;
        long before = System.nanoTime();
        Files.writeString(file, "");
        for (int from = 0; from < text.length(); from += length) {
            Thread.sleep(pause.toMillis());
            long begin = System.nanoTime();
            Files.writeString(
                    file, text.substring(from, Math.min(text.length(), from + length)), StandardOpenOption.APPEND);
            steady &= System.nanoTime() - before
                    < Settling.SETTLED.minusMillis(300).toNanos();
            before = begin;
        }
        return steady;
    }

    @Test
    void aValidFileThatIsCopiedSlowlyTakesEffectWithoutAnError() throws Exception {
        try (Served served = start()) {
            await(served.files(), "1");
            boolean steady = false;
            for (int i = 1; !steady; i++) {
                long refused = served.files().reloader().refused();
                lines.list.clear();
                steady = copySlowly(
                        "filter { it.response.headers['x-stamp'] = \n'copied" + i + "'\n}\n",
                        12,
                        Duration.ofMillis(300),
                        home.resolve("filters/outbound/stamp.groovy"));
                await(served.files(), "copied" + i);
                if (steady) {
                    assertThat(served.files().reloader().refused()).isEqualTo(refused);
                    assertNoWarnings();
                }
            }
        }
    }

    private void assertNoWarnings() {
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .isEmpty();
    }

    @Test
    void aConfigurationThatIsCopiedSlowlyTakesEffectWithoutAnError() throws Exception {
        try (Served served = start()) {
            await(served.files(), "1");
            String text = Files.readString(config);
            boolean steady = false;
            for (int i = 1; !steady; i++) {
                long next = served.files().gateway().gateway().generation().number() + 1;
                lines.list.clear();
                String changed = text.replace("/**", "/elsewhere" + i + "/**");
                // Three parts.
                steady = copySlowly(changed, (changed.length() + 2) / 3, Duration.ofMillis(900), config);
                awaitThat(() -> served.files().gateway().gateway().generation().number() == next);
                assertThat(get(served.files(), "/").status()).isEqualTo(404);
                if (steady) {
                    assertNoWarnings();
                }
            }
        }
    }

    @Test
    void aFaultyFileIsAnErrorAfterItSettles() throws Exception {
        try (Served served = start()) {
            await(served.files(), "1");
            filter("stamp", "filter {\n  it.nonsense()\n}");
            awaitThat(() -> served.files().reloader().refusal() != null);
            awaitThat(() -> served.files().reloader().refused() == 1);
            await(served.files(), "1");
        }
    }

    @Test
    void ignoredFilesAreWarningsOfCheckAndListedByTheAdminListener() throws Exception {
        Files.writeString(home.resolve("filters/outbound/redis.jar"), "PK");
        Files.writeString(home.resolve("filters/Token.kt"), "class Token");
        String kotlin = "filters in Kotlin must be in jars, as config/templates/kotlin-filters builds them";
        String jars = "libraries must be jars at the top of the filter directory or in lib/";
        assertThat(FileGateway.check(config, name -> null, times -> {}))
                .containsExactly(
                        "filters: Token.kt is ignored: " + kotlin, "filters: outbound/redis.jar is ignored: " + jars);
        try (Served served = start()) {
            assertThat(page(served.files(), "/filters"))
                    .contains("\"ignored\":[{\"file\":\"Token.kt\",\"reason\":\"" + kotlin)
                    .contains("{\"file\":\"outbound/redis.jar\",\"reason\":\"" + jars);
            Files.writeString(home.resolve("filters/late.java"), "class Late {}");
            awaitThat(() -> served.files().reloader().ignored().size() == 3);
            assertThat(page(served.files(), "/filters")).contains("late.java");
            assertThat(served.files().gateway().gateway().generation().number()).isEqualTo(1);
        }
    }

    @Test
    void keepsTheByteCodeOfFiltersForTheNextStartAndReplacesAFileThatIsDamaged() throws Exception {
        Path kept = config.resolveSibling(".lychgate").resolve("compiled-filters-gateway.yml");
        try (Served served = start()) {
            await(served.files(), "1");
        }
        long size = Files.size(kept);
        Files.writeString(kept, "damaged");
        try (Served served = start()) {
            await(served.files(), "1");
        }
        assertThat(Files.size(kept)).isEqualTo(size);
    }

    @Test
    void keepsTheByteCodeOfEachConfigurationOfADirectoryForItsUserOnly() throws Exception {
        start().close();
        Path other = Files.copy(config, home.resolve("other.yml"));
        new Served(FileGateway.start(other, name -> null, Lychgate::start)).close();

        Path kept = home.resolve(".lychgate");
        assertThat(kept.resolve("compiled-filters-gateway.yml")).exists();
        assertThat(kept.resolve("compiled-filters-other.yml")).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rwx------");
    }

    private static String page(FileGateway<Lychgate> gateway, String target) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + gateway.gateway().adminPort() + target);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void changedFiltersTakeEffectAndFaultyOnesAreRefusedWithTheirPlace() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            await(files, "1");
            filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
            await(files, "2");
            filter("stamp", "filter {\n  it.nonsense()\n}");
            long end = System.nanoTime() + AT_MOST.toNanos();
            while (files.reloader().refusal() == null && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            Generations.Refusal refusal =
                    Objects.requireNonNull(files.reloader().refusal());
            assertThat(refusal.faults().get(0)).startsWith("outbound/stamp.groovy:2:");
            await(files, "2");
            Files.delete(home.resolve("filters/outbound/stamp.groovy"));
            await(files, "none");
            awaitThat(() -> files.reloader().refusal() == null);
            assertThat(files.gateway().gateway().generation().number()).isEqualTo(3);
        }
    }

    @Test
    void aChangedConfigurationTakesEffectAndAFaultyOneIsRefused() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            assertThat(get(files, "/a").status()).isEqualTo(200);
            configure("/b/**");
            assertThat(post(files, "/reload").statusCode()).isEqualTo(200);
            assertThat(get(files, "/a").status()).isEqualTo(404);
            assertThat(get(files, "/b/x").value("x-stamp")).hasValue("1");
            write(config, "routes: 7\n");
            HttpResponse<String> refused = post(files, "/reload");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("gateway.yml:1:").contains("\"faults\":[");
            assertThat(get(files, "/b/x").status()).isEqualTo(200);
        }
    }

    @Test
    void includedFilesAreWatchedForEveryKindOfChange() throws Exception {
        Path parts = Files.createDirectory(home.resolve("conf.d"));
        write(config, Files.readString(config) + "include: conf.d/*.yml\n");
        write(parts.resolve("a.yml"), "routes: [{ id: a, match: { path: /a }, respond: { status: 201 } }]\n");
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            assertThat(get(files, "/a").status()).isEqualTo(201);

            write(parts.resolve("a.yml"), "routes: [{ id: a, match: { path: /a }, respond: { status: 202 } }]\n");
            awaitStatus(files, "/a", 202);
            write(parts.resolve("b.yml"), "routes: [{ id: b, match: { path: /b }, respond: { status: 203 } }]\n");
            awaitStatus(files, "/b", 203);
            write(parts.resolve("c.yml"), "routes: [{ id: b, match: { path: /c }, respond: { status: 204 } }]\n");
            awaitThat(() -> {
                Generations.Refusal refusal = files.reloader().refusal();
                return refusal != null && refusal.faults().toString().contains("conf.d/c.yml:1:16: routes[3].id: b");
            });
            assertThat(get(files, "/b").status()).isEqualTo(203);
            write(parts.resolve("c.yml"), "routes: [{ id: c, match: { path: /c }, respond: { status: 204 } }]\n");
            awaitStatus(files, "/c", 204);
            Files.delete(parts.resolve("a.yml"));
            awaitStatus(files, "/a", 200);
        }
    }

    private void failing(String filter) throws Exception {
        write(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes:
                  - id: all
                    upstream: origin
                    on-failure: { filter: %s, status: [503] }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                admin: { address: "127.0.0.1:0" }
                """.formatted(filter, origin.port()));
    }

    @Test
    void aFallbackFilterOfTheDirectoryRunsOnlyAfterFailures() throws Exception {
        origin.close();
        origin = ScriptedOrigin.answering((r, c) -> {
            switch (r.target()) {
                case "/reset", "/reset?broken" -> c.reset();
                case "/busy" -> c.send(Responses.of(503, "busy"));
                default -> c.send(Responses.ok("origin"));
            }
        });
        Files.createDirectories(home.resolve("filters/endpoint"));
        write(home.resolve("filters/endpoint/sorry.groovy"), """
                filter {
                    if (it.request.path == '/reset' && it.request.query == 'broken') throw new IOException('broken')
                    it.respond(218, "sorry: ${it.error?.kind()?.label() ?: 'a status'}")
                }
                """);
        failing("sorry");
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            assertThat(get(files, "/").body()).isEqualTo("origin");
            RawMessage reset = get(files, "/reset");
            assertThat(reset.status()).isEqualTo(218);
            assertThat(reset.body()).isEqualTo("sorry: origin-reset");
            assertThat(reset.value("x-stamp")).as("outbound filters see it").hasValue("1");
            assertThat(get(files, "/busy").body()).isEqualTo("sorry: a status");
            assertThat(get(files, "/reset?broken").status())
                    .as("the filter itself fails")
                    .isEqualTo(502);

            failing("sory");
            HttpResponse<String> refused = post(files, "/reload");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body())
                    .contains(
                            "gateway.yml:6:27: routes[0].on-failure.filter: sory (expected: an endpoint filter of your"
                                    + " own; did you mean 'sorry'?)");
            assertThat(get(files, "/reset").status()).isEqualTo(218);
        }
    }

    @Test
    void aRollbackRestoresAnEarlierGeneration() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
            await(files, "2");
            assertThat(post(files, "/rollback?generation=1").statusCode()).isEqualTo(200);
            await(files, "1");
            assertThat(files.reloader().kept()).hasSize(2);
            assertThat(files.reloader().kept().get(0).why()).isEqualTo("rollback to 1");
            assertThat(post(files, "/rollback?generation=77").statusCode()).isEqualTo(404);
            assertThat(post(files, "/rollback?generation=x").statusCode()).isEqualTo(400);
            filter("stamp", "filter { it.response.headers['x-stamp'] = '3' }");
            awaitThat(() -> lines.list.stream()
                    .anyMatch(line -> line.getFormattedMessage().contains("not applied: generation 3 stays in force")));
            await(files, "1");
            assertThat(generations(files).body()).contains("\"pinned\":true");
            assertThat(post(files, "/reload").statusCode()).isEqualTo(200);
            await(files, "3");
            assertThat(generations(files).body()).contains("\"pinned\":false");
        }
    }

    @Test
    void aRollbackToAnInvalidGenerationIsRefusedWithTheReason() throws Exception {
        Path key = Files.writeString(home.resolve("key"), "secret");
        filter("stamp", """
                import dev.lychgate.filter.*

                class Stamp implements OutboundFilter, SyncFilter {
                    void selfCheck() {
                        if (!new File('%s').exists()) throw new IOException('the key is gone')
                    }
                    FilterOutcome filter(FilterExchange exchange) {
                        exchange.response.headers['x-stamp'] = '1'
                        exchange.proceed()
                    }
                }
                """.formatted(key));
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            await(files, "1");
            filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
            await(files, "2");
            Files.delete(key);
            HttpResponse<String> refused = post(files, "/rollback?generation=1");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.headers().firstValue("content-type")).hasValue("application/problem+json");
            assertThat(refused.body()).contains("problem:refused").contains("the key is gone");
            await(files, "2");
            assertThat(files.reloader().refused()).isEqualTo(1);
            assertThat(files.reloader().refusal())
                    .as("the files were not refused")
                    .isNull();
            HttpResponse<String> unknown = post(files, "/rollback?generation=77");
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body()).contains("problem:not-found").contains("is not kept");
        }
    }

    @Test
    void aFailedSelfCheckIsReportedWithItsFileAndLine() throws Exception {
        try (Served served = start()) {
            filter("stamp", "filter { }\nselfCheck {\n  throw new IOException('the key is gone')\n}");
            Reloader reloader = served.files().reloader();
            assertThat(reloader.reload("test")).isInstanceOf(Generations.Outcome.Refused.class);
            assertThat(Objects.requireNonNull(reloader.refusal()).faults())
                    .containsExactly("outbound/stamp.groovy:3: filter stamp failed its self-check:"
                            + " java.io.IOException: the key is gone");
        }
    }

    @Test
    void theEndReleasesTheKeptGenerations() throws Exception {
        FileGateway<Lychgate> files = FileGateway.start(config, name -> null, Lychgate::start);
        for (int i = 2; i < 5; i++) {
            filter("stamp", "filter { it.response.headers['x-stamp'] = '" + i + "' }");
            files.reloader().reload("test");
        }
        assertThat(files.reloader().alive().count()).isGreaterThanOrEqualTo(4);
        files.gateway().close();
        files.close();
        // The gateway references the last generation, and a cache of the JDK another one.
        eventually(() -> {
            System.gc();
            assertThat(files.reloader().alive().count()).isLessThanOrEqualTo(2);
        });
        assertThat(files.reloader().kept()).isEmpty();
        assertThat(files.reloader().reload("test"))
                .as("no change is accepted after the end")
                .isInstanceOf(Generations.Outcome.Refused.class);
    }

    @Test
    void aConfigMapWithAMissingTargetIsRefusedAndTheLastGoodFiltersStay() throws Exception {
        Path filters = home.resolve("filters");
        Files.createDirectories(filters.resolve("..v3"));
        Files.move(filters.resolve("outbound"), filters.resolve("..v3/outbound"));
        Files.createSymbolicLink(filters.resolve("..data"), Path.of("..v3"));
        Files.createSymbolicLink(filters.resolve("outbound"), Path.of("..data/outbound"));
        try (Served served = start()) {
            await(served.files(), "1");
            Files.move(filters.resolve("..v3"), filters.resolve("..gone"));
            Reloader reloader = served.files().reloader();
            long end = System.nanoTime() + AT_MOST.toNanos();
            while (reloader.refusal() == null && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            assertThat(Objects.requireNonNull(reloader.refusal()).faults())
                    .containsExactly("outbound: is a link to a missing file");
            assertThat(get(served.files(), "/").value("x-stamp")).hasValue("1");
        }
        try (Served again = start()) {
            assertThat(get(again.files(), "/").value("x-stamp"))
                    .as("from .lychgate/last-good")
                    .hasValue("1");
        }
    }

    @Test
    void aRestartWithABrokenDirectoryServesTheLastGoodFilters() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            await(files, "1");
        }
        filter("stamp", "filter { nonsense");
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            await(files, "1");
            assertThat(files.reloader().refusal()).isNotNull();
            filter("stamp", "filter { it.response.headers['x-stamp'] = 'mended' }");
            await(files, "mended");
        }
    }

    @Test
    void aFaultyDirectoryFailsTheStartWithoutALastGoodCopy() throws Exception {
        filter("stamp", "filter { nonsense");
        assertThatThrownBy(this::start)
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("outbound/stamp.groovy:");
    }

    @Test
    void aFilterOfARouteRunsOnlyThere() throws Exception {
        write(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes:
                  - { id: stamped, match: { path: "/s" }, filters: [stamp], upstream: origin }
                  - { id: all, match: { path: "/**" }, upstream: origin }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                """.formatted(origin.port()));
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            assertThat(get(files, "/s").value("x-stamp")).hasValue("1");
            assertThat(get(files, "/other").has("x-stamp")).isFalse();
        }
    }

    @Test
    void filesWithUnchangedContentChangeNothing() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            String path = "/b/**";
            configure(path);
            awaitThat(() -> files.reloader().taken() == 1);
            configure(path);
            filter("stamp", "filter { nonsense");
            awaitThat(() -> files.reloader().refusal() != null);
            filter("stamp", "filter { it.response.headers['x-stamp'] = '1' }");
            awaitThat(() -> files.reloader().refusal() == null);
            assertThat(files.gateway().gateway().generation().number()).isEqualTo(2);
        }
    }

    @Test
    void aReloadOfUnchangedFilesReturnsTheRunningGeneration() throws Exception {
        try (Served served = start()) {
            HttpResponse<String> response = post(served.files(), "/reload");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).contains("{\"kept\":[{\"number\":1,").doesNotContain("no file changed");
        }
    }

    @Test
    void aConfiguredDirectoryTakesEffectWhenItIsCreated() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            write(config, Files.readString(config).replace("directory: filters", "directory: others"));
            awaitThat(() -> files.reloader().refusal() != null);
            // Until the directory exists, its path is polled.
            Thread.sleep(600);
            copyFilters("others", "2");
            await(files, "2");
            // The generation serves shortly before its reload ends.
            awaitThat(() -> files.reloader().refusal() == null);
        }
    }

    @Test
    void aDirectoryThatIsMissingAtTheStartTakesEffectWhenItIsCreated() throws Exception {
        start().close();
        Files.move(home.resolve("filters"), home.resolve("aside"));
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            awaitThat(() -> files.reloader().refused() >= 2);
            copyFilters("filters", "2");
            await(files, "2");
        }
    }

    @Test
    void aDirectoryThatVanishesAndReturnsChangesNothing() throws Exception {
        try (Served served = start()) {
            FileGateway<Lychgate> files = served.files();
            Files.move(home.resolve("filters"), home.resolve("aside"));
            awaitThat(() -> files.reloader().refusal() != null);
            await(files, "1");
            Files.move(home.resolve("aside"), home.resolve("filters"));
            awaitThat(() -> files.reloader().refusal() == null);
            assertThat(files.gateway().gateway().generation().number()).isEqualTo(1);
            Files.move(home.resolve("filters"), home.resolve("aside"));
            copyFilters("filters", "3");
            await(files, "3");
        }
    }

    /** Replaces all files at once, like a deployment. */
    private void copyFilters(String to, String stamp) throws Exception {
        Path whole = home.resolve(to + ".new");
        Files.createDirectories(whole.resolve("outbound"));
        Files.writeString(
                whole.resolve("outbound/stamp.groovy"),
                "filter { it.response.headers['x-stamp'] = '" + stamp + "' }\n");
        Files.move(whole, home.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void awaitStatus(FileGateway<Lychgate> gateway, String path, int status) throws Exception {
        long end = System.nanoTime() + AT_MOST.toNanos();
        while (System.nanoTime() < end && get(gateway, path).status() != status) {
            Thread.sleep(20);
        }
        assertThat(get(gateway, path).status()).isEqualTo(status);
    }

    private static void awaitThat(BooleanSupplier holds) throws Exception {
        long end = System.nanoTime() + AT_MOST.toNanos();
        while (!holds.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(holds.getAsBoolean()).isTrue();
    }

    @Test
    void aRestartWithAFilterThatFailsItsSelfCheckServesTheLastGoodFilters() throws Exception {
        start().close();
        filter("stamp", "selfCheck { throw new IOException('no key') }\nfilter { }");
        try (Served served = start()) {
            await(served.files(), "1");
            assertThat(Objects.requireNonNull(served.files().reloader().refusal())
                            .faults())
                    .singleElement()
                    .asString()
                    .contains("no key");
        }
    }
}
