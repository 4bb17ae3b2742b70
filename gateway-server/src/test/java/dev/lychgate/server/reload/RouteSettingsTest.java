package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.Lychgate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One filter with several settings on several routes, over real sockets. */
@Tag("slow")
class RouteSettingsTest {
    private static final String SCRIPT = """
            settings {
                @Setting(min = 1, max = 100) int size = 1
                Duration per = 1.s
            }

            int n = 0
            filter { it.respond(200, "$size ${per.toMillis()} ${n += size}") }
            """;

    @TempDir
    Path home = Path.of("");

    private Path config = Path.of("");

    @BeforeEach
    void files() throws Exception {
        config = home.resolve("gateway.yml");
        Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(home.resolve("filters/inbound/Size.groovy"), SCRIPT);
        configure(2);
    }

    private void configure(int size) throws Exception {
        Files.writeString(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                watch: off
                groups:
                  three: { filters: [{ Size: { size: 3, per: 250ms } }] }
                routes:
                  - { id: a, match: { path: /a }, respond: {}, filters: [Size] }
                  - { id: b, match: { path: /b }, respond: {}, filters: [{ Size: { size: %d } }] }
                  - { id: c, match: { path: /c }, respond: {}, group: three }
                  - { id: d, match: { path: /d }, respond: {}, group: three }
                admin: { address: "127.0.0.1:0" }
                """.formatted(size));
    }

    private record Served(FileGateway<Lychgate> files) implements AutoCloseable {
        @Override
        public void close() {
            files.gateway().close();
            files.close();
        }

        String get(String path) throws Exception {
            return send(files.gateway().port("main"), "GET", path).body();
        }

        RawMessage admin(String method, String path) throws Exception {
            return send(files.gateway().adminPort(), method, path);
        }

        private static RawMessage send(int port, String method, String path) throws Exception {
            try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                return client.send(method + " " + path
                                + " HTTP/1.1\r\nHost: 127.0.0.1\r\nx-lychgate-admin: test\r\ncontent-length: 0\r\n\r\n")
                        .readResponse();
            }
        }
    }

    private Served start() throws Exception {
        return new Served(FileGateway.start(config, name -> null, Lychgate::start));
    }

    @Test
    void haveASeparateFilterAndShareItIfTheyAreEqual() throws Exception {
        try (Served served = start()) {
            assertThat(List.of(served.get("/a"), served.get("/a"))).containsExactly("1 1000 1", "1 1000 2");
            assertThat(List.of(served.get("/b"), served.get("/b"))).containsExactly("2 1000 2", "2 1000 4");
            assertThat(List.of(served.get("/c"), served.get("/d"))).containsExactly("3 250 3", "3 250 6");
        }
    }

    @Test
    void areShownByTheAdminListenerWhichDisablesEachOfThem() throws Exception {
        try (Served served = start()) {
            served.get("/b");
            JsonNode filters = new ObjectMapper()
                    .readTree(served.admin("GET", "/filters").body())
                    .path("filters");
            TreeMap<String, String> shown = new TreeMap<>();
            filters.forEach(filter -> shown.put(
                    filter.path("name").asText(),
                    filter.path("settings") + " " + filter.path("routes") + " " + filter.path("runs")));
            assertThat(shown)
                    .containsOnlyKeys("Size", "Size{size=2}", "Size{size=3, per=250ms}")
                    .containsEntry("Size", "{\"size\":\"1\",\"per\":\"1s\"} [\"a\"] 0")
                    .containsEntry("Size{size=2}", "{\"size\":\"2\",\"per\":\"1s\"} [\"b\"] 1")
                    .containsEntry("Size{size=3, per=250ms}", "{\"size\":\"3\",\"per\":\"250ms\"} [\"c\",\"d\"] 0");

            String disable = "/filters?phase=inbound&name=Size%7Bsize%3D2%7D&state=disabled&force=true";
            assertThat(served.admin("POST", disable).status()).isEqualTo(200);
            assertThat(served.get("/b")).isEmpty();
            assertThat(served.get("/a")).isEqualTo("1 1000 1");
        }
    }

    @Test
    void keepTheLastGoodGenerationIfTheyAreRefused() throws Exception {
        try (Served served = start()) {
            configure(101);
            assertThatThrownBy(() -> served.files().reloader().take("test"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage(config + ":8:74: routes[1].filters[0].Size.size: 101 (expected: 1 to 100; declared at"
                            + " inbound/Size.groovy:2)");
            assertThat(served.get("/b")).startsWith("2 ");

            configure(2);
            Files.writeString(home.resolve("filters/inbound/Size.groovy"), SCRIPT.replace("size", "most"));
            assertThatThrownBy(() -> served.files().reloader().take("test"))
                    .isInstanceOf(RefusedException.class)
                    .hasMessage(config
                            + ":8:74: routes[1].filters[0].Size.size: unknown setting (expected: one of most, per)\n"
                            + config
                            + ":5:38: routes[2].filters[0].Size.size: unknown setting (expected: one of most, per)");
            assertThat(served.get("/b")).startsWith("2 ");
        }
    }

    @Test
    void areRequiredForAFilterThatIsInNoList() throws Exception {
        Files.writeString(home.resolve("filters/inbound/Needs.groovy"), "settings {\n  int size\n}\nfilter { null }\n");
        assertThatThrownBy(() -> FileGateway.check(config, name -> null, times -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessage("inbound/Needs.groovy:2: setting size is required: name the filter in a list of the"
                        + " configuration");
    }

    @Test
    void mayBeRefusedByTheFilterItself() throws Exception {
        Files.writeString(
                home.resolve("filters/inbound/Size.groovy"),
                SCRIPT + "if (size == 3) throw new IllegalArgumentException('not 3')\n");
        assertThatThrownBy(() -> FileGateway.check(config, name -> null, times -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessage(config + ":5:30: routes[2].filters[0].Size: refused by inbound/Size.groovy:8:"
                        + " java.lang.IllegalArgumentException: not 3 (expected: settings that the filter accepts)");
    }

    @Test
    void areReportedTogetherWithTheFaultsOfFilters() throws Exception {
        Files.writeString(
                home.resolve("filters/inbound/Size.groovy"),
                SCRIPT + "if (size == 3) throw new IllegalArgumentException('not 3')\n");
        Files.writeString(
                home.resolve("filters/inbound/Needs.groovy"),
                "settings {\n  int size\n  int most\n}\nfilter { null }\n");
        Files.writeString(
                home.resolve("filters/inbound/Wrong.groovy"), "settings {\n  int a = 'x'\n}\nfilter { null }\n");
        Files.writeString(
                home.resolve("filters/inbound/Fails.groovy"),
                "\nthrow new IllegalStateException('no')\nfilter { null }\n");
        configure(101);
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("filters: [Size]", "filters: [Size, Wrong, Fails, Unknown, { Size: { per: soon } }]"));
        assertThatThrownBy(() -> FileGateway.check(config, name -> null, times -> {}))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.faults())
                                .containsExactly(
                                        "inbound/Fails.groovy:2: java.lang.IllegalStateException: no",
                                        "inbound/Needs.groovy:2: setting size is required: name the filter in a list of"
                                                + " the configuration",
                                        "inbound/Needs.groovy:3: setting most is required: name the filter in a list of"
                                                + " the configuration",
                                        "inbound/Wrong.groovy:2: the default of setting a: x (expected: a whole number)",
                                        config + ":7:78: routes[0].filters[3]: Unknown (expected: a built-in filter; or"
                                                + " one of served-by, Size)",
                                        config
                                                + ":7:102: routes[0].filters[4].Size.per: soon (expected: a duration such"
                                                + " as 250ms, 4s, 10m or 1h; declared at inbound/Size.groovy:3)",
                                        config
                                                + ":8:74: routes[1].filters[0].Size.size: 101 (expected: 1 to 100; declared"
                                                + " at inbound/Size.groovy:2)",
                                        config + ":5:30: routes[2].filters[0].Size: refused by inbound/Size.groovy:8:"
                                                + " java.lang.IllegalArgumentException: not 3 (expected: settings that"
                                                + " the filter accepts)"));
    }

    @Test
    void mayBeRefusedByAFallbackFilter() throws Exception {
        Files.createDirectories(home.resolve("filters/endpoint"));
        Files.writeString(
                home.resolve("filters/endpoint/Sorry.groovy"),
                "settings { int size = 1 }\nif (size == 1) throw new IllegalArgumentException('not 1')\nfilter { null }");
        Files.writeString(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: a, upstream: o, on-failure: { filter: Sorry } }]
                upstreams: { o: { endpoints: ["http://127.0.0.1:1"] } }
                """);
        assertThatThrownBy(() -> FileGateway.check(config, name -> null, times -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(
                        config + ":3:54: routes[0].on-failure.filter: refused by endpoint/Sorry.groovy:2:");
    }

    @Test
    void changeUnderLoadWithoutAWrongResponse() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(3);
        try (Served served = start()) {
            AtomicBoolean over = new AtomicBoolean();
            List<Future<Integer>> all = new ArrayList<>();
            for (String path : List.of("/a", "/b", "/c")) {
                all.add(clients.submit(() -> requests(served, path, over)));
            }
            for (int size = 3; size < 8; size++) {
                configure(size);
                served.files().reloader().take("test");
                assertThat(served.get("/b")).startsWith(size + " ");
            }
            over.set(true);
            for (Future<Integer> each : all) {
                assertThat(each.get()).isPositive();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static int requests(Served served, String path, AtomicBoolean over) throws Exception {
        int requests = 0;
        int port = served.files().gateway().port("main");
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            while (!over.get()) {
                assertThat(client.get(path).body())
                        .matches(path.equals("/a") ? "1 1000 .*" : path.equals("/c") ? "3 250 .*" : "[2-7] 1000 .*");
                requests++;
            }
        }
        return requests;
    }

    @Test
    void masksSecretsWhereverAFilterIsNamed() throws Exception {
        // No list names it, so that it would run for all requests.
        Files.delete(home.resolve("filters/inbound/Size.groovy"));
        Files.writeString(home.resolve("filters/inbound/Token.groovy"), """
                settings {
                    String apiToken
                    List<String> passwords = []
                    Map<String, String> fields = [:]
                    String url = 'http://localhost/'
                    int tokens = 1
                }
                filter { it.respond(200, apiToken) }
                """);
        Files.writeString(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                watch: off
                routes:
                  - { id: a, match: { path: /a }, respond: {}, filters: [{ Token: { api-token: mackerel-a } }] }
                  - { id: b, match: { path: /b }, respond: {}, filters: [{ Token: { api-token: mackerel-b } }] }
                  - { id: c, match: { path: /c }, respond: {}, filters: [{ Token: { api-token: mackerel-a } }] }
                  - id: d
                    match: { path: /d }
                    respond: {}
                    filters:
                      - Token:
                          api-token: mackerel-d
                          passwords: [mackerel-1]
                          fields: { authorization: mackerel-2, accept: "*" }
                          url: "http://mackerel:mackerel@localhost/"
                          tokens: 7
                admin: { address: "127.0.0.1:0" }
                """);
        try (Served served = start()) {
            assertThat(served.get("/a") + served.get("/b") + served.get("/c") + served.get("/d"))
                    .isEqualTo("mackerel-amackerel-bmackerel-amackerel-d");
            for (String page :
                    List.of("/filters", "/routes", "/explain?url=http://localhost/b", "/metrics", "/config")) {
                assertThat(served.admin("GET", page).body())
                        .as(page)
                        .contains("Token")
                        .doesNotContain("mackerel");
            }
            String longest = "Token{api-token=***, passwords=***, fields=";
            assertThat(served.admin("GET", "/metrics").body())
                    .contains(
                            "lychgate_filter_runs_total",
                            "\"Token{api-token=***}\"",
                            "\"Token{api-token=***}~2\"",
                            longest)
                    .doesNotContain("~3");
            assertThat(served.admin("GET", "/filters").body())
                    .contains("\"url\":\"http://***@localhost/\"", "\"tokens\":\"7\"");
        }
    }
}
