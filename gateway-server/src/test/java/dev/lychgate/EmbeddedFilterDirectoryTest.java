package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An embedded gateway that watches a filter directory, without a configuration file. */
@Tag("slow")
class EmbeddedFilterDirectoryTest {
    /** One client, since each keeps its connections open and the admin listener accepts a limited number. */
    private static final HttpClient ADMIN = HttpClient.newHttpClient();

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path directory;
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));

    EmbeddedFilterDirectoryTest(@TempDir Path home) {
        this.directory = home.resolve("my-filters");
    }

    @BeforeEach
    void files() throws Exception {
        Files.createDirectories(directory.resolve("outbound"));
        filter("stamp", "filter { it.response.headers['x-stamp'] = '1' }");
    }

    @AfterEach
    void end() {
        origin.close();
    }

    private void filter(String name, String text) throws Exception {
        Files.writeString(directory.resolve("outbound/" + name + ".groovy"), text);
    }

    private LychgateBuilder builder() {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:" + origin.port())
                .route("all", "/**", "origin")
                .workers(1);
    }

    private LychgateBuilder following() {
        return builder().filters(directory);
    }

    private FiltersConfig settings() {
        return new FiltersConfig(directory.toString(), List.of(), FiltersConfig.DEFAULT.guard());
    }

    private static RawMessage get(Lychgate gateway, String path) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main"));
        try (RawClient client = RawClient.connect(address)) {
            return client.get(path);
        }
    }

    private static void awaitStamp(Lychgate gateway, String stamp) throws Exception {
        eventually(
                PATIENCE, () -> assertThat(get(gateway, "/").value("x-stamp")).hasValue(stamp));
    }

    private static final class Branding implements OutboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().getHeaders().set("x-brand", "lychgate");
            return exchange.proceed();
        }
    }

    @Test
    void itsFiltersRunFromTheFirstRequestBesideThoseOfTheProgram() throws Exception {
        try (Lychgate gateway = following().filter(new Branding()).start()) {
            RawMessage response = get(gateway, "/");
            assertThat(response.value("x-stamp")).hasValue("1");
            assertThat(response.value("x-brand")).hasValue("lychgate");
        }
    }

    @Test
    void itsFiltersRunHoweverTheGatewayIsStarted() throws Exception {
        GatewayConfig config = builder().filters(settings()).config();
        try (Lychgate gateway = Lychgate.start(config)) {
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("1");
        }
        try (Lychgate gateway = Lychgate.start(config, FilterSet.EMPTY, Map.of())) {
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("1");
        }
    }

    @Test
    void aRelativePathStartsAtTheWorkingDirectoryOfTheProcess() throws Exception {
        Path relative = Path.of("").toAbsolutePath().relativize(directory.toAbsolutePath());
        try (Lychgate gateway = builder().filters(relative).start()) {
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("1");
        }
    }

    @Test
    void aChangedFileTakesEffectAndAMalformedOneIsRefused() throws Exception {
        try (Lychgate gateway = following().admin("127.0.0.1:0").start()) {
            filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
            awaitStamp(gateway, "2");
            filter("stamp", "filter {\n it.nonsense() }");
            eventually(
                    PATIENCE,
                    () -> assertThat(admin(gateway, "GET", "/generations")).contains("outbound/stamp.groovy:2:"));
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("2");
            filter("stamp", "filter { it.response.headers['x-stamp'] = '3' }");
            awaitStamp(gateway, "3");
            assertThat(admin(gateway, "POST", "/rollback?generation=1")).contains("rollback to 1");
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("1");
        }
    }

    private static String admin(Lychgate gateway, String method, String target) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.adminPort() + target))
                .header("x-lychgate-admin", "test")
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return ADMIN.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void aFilterOfARouteRunsOnlyThere() throws Exception {
        RouteConfig named =
                RouteConfig.proxy("named", MatchConfig.path("/named"), "origin").withFilters(FilterConfig.of("stamp"));
        try (Lychgate gateway = following().route(named).start()) {
            assertThat(get(gateway, "/named").value("x-stamp")).hasValue("1");
            assertThat(get(gateway, "/other").value("x-stamp")).isEmpty();
        }
    }

    @Test
    void appliedSettingsKeepItsFilters() throws Exception {
        try (Lychgate gateway = following().start()) {
            GatewayConfig next = builder()
                    .route("more", "/more", "origin")
                    .filters(directory)
                    .config();
            assertThat(gateway.apply(next).number()).isEqualTo(2);
            assertThat(get(gateway, "/more").value("x-stamp")).hasValue("1");
            filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
            awaitStamp(gateway, "2");
            assertThat(gateway.gateway().generation().config().routes()).hasSize(2);
        }
    }

    @Test
    void refusedSettingsChangeNothing() throws Exception {
        RouteConfig broken =
                RouteConfig.proxy("named", MatchConfig.path("/named"), "origin").withFilters(FilterConfig.of("nobody"));
        try (Lychgate gateway = following().start()) {
            assertThatThrownBy(() -> gateway.apply(
                            builder().route(broken).filters(directory).config()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("filters[0]: nobody");
            filter("stamp", "filter { it.response.headers['x-stamp'] = '2' }");
            awaitStamp(gateway, "2");
            assertThat(gateway.gateway().generation().config().routes()).hasSize(1);
        }
    }

    @Test
    void anotherDirectoryNeedsARestart() {
        try (Lychgate gateway = builder().start()) {
            assertThatThrownBy(() -> gateway.apply(following().config()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("filters.directory: ")
                    .hasMessageContaining("restart the gateway");
        }
        try (Lychgate gateway = following().start()) {
            assertThatThrownBy(() -> gateway.apply(builder().config()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("filters.directory: ");
        }
    }

    @Test
    void anInvalidDirectoryFailsTheStartWithThePlaceOfTheFault() throws Exception {
        filter("stamp", "filter {\n it.nonsense() }");
        assertThatThrownBy(() -> following().start())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("filters.directory: " + directory)
                .hasMessageContaining("outbound/stamp.groovy:2:");
        assertThatThrownBy(() -> builder().filters(directory.resolve("none")).start())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("(expected: a directory that exists)");
    }

    @Test
    void theWatchEndsWithTheGateway() throws Exception {
        // Those of earlier tests may end at any time.
        Set<Thread> others = watchers(Set.of());
        Lychgate drained = following().start();
        Lychgate closed = following().start();
        assertThat(watchers(others)).hasSize(2);
        drained.drain(Duration.ofSeconds(5));
        closed.close();
        eventually(PATIENCE, () -> assertThat(watchers(others)).isEmpty());
    }

    private static Set<Thread> watchers(Set<Thread> except) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("lychgate-file-watcher") && !except.contains(thread))
                .collect(Collectors.toSet());
    }

    private GatewayConfig withLimit(String limit) {
        return builder()
                .filters(settings().with(Map.of("limit", List.of(limit))))
                .config();
    }

    @Test
    void appliedPropertiesLeaveItsFiltersLoaded() throws Exception {
        filter("stamp", """
                def limit = property('limit', 100)
                def loads = shared('loads') { new java.util.concurrent.atomic.LongAdder() }
                loads.increment()
                filter { it.response.headers['x-stamp'] = it.get(limit) + ' of load ' + loads.sum() }
                """);
        try (Lychgate gateway = Lychgate.start(withLimit("7"))) {
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("7 of load 1");
            assertThat(gateway.apply(withLimit("8")).number()).isEqualTo(2);
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("8 of load 1");
            assertThatThrownBy(() -> gateway.apply(withLimit("many")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("filters.properties.limit: many");
            assertThat(get(gateway, "/").value("x-stamp")).hasValue("8 of load 1");
            filter(
                    "stamp",
                    "def limit = property('limit', 100)\nfilter { it.response.headers['x-stamp'] = it.get(limit) + 1 }");
            awaitStamp(gateway, "9");
        }
    }
}
