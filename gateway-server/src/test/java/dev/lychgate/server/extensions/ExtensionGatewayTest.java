package dev.lychgate.server.extensions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.Lychgate;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways with extensions, over real sockets. */
@Tag("slow")
class ExtensionGatewayTest {
    @TempDir
    Path home = Path.of("");

    private Path directory = Path.of("");

    @BeforeEach
    void install() throws Exception {
        directory = Files.createDirectories(home.resolve("extensions"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    private record Served(FileGateway<Lychgate> files) implements AutoCloseable {
        String header(String name) throws Exception {
            int port = files.gateway().port("main");
            try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                return client.get("/").value(name).orElse("none");
            }
        }

        String admin(String path) throws Exception {
            int port = files.gateway().adminPort();
            try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                return client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        .readResponse()
                        .body();
            }
        }

        @Override
        public void close() {
            files.gateway().close();
            files.close();
        }
    }

    private Served start(String yaml) throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0" }
                routes: [{ id: all, respond: { status: 204 } }]
                """ + yaml);
        return new Served(FileGateway.start(file, name -> null, Lychgate::start));
    }

    @Test
    void eachExtensionHasItsOwnVersionOfALibrary() throws Exception {
        ExtensionJars.sample("one", "1").write(directory.resolve("one.jar"));
        ExtensionJars.sample("two", "2").write(directory.resolve("two.jar"));
        try (Served gateway = start("""
                extensions: { one: { greeting: "${GREETING:good day}" }, two: }
                filters: { global: [{ one-stamp: { value: a } }, { two-stamp: { value: b, order: -1 } }] }
                """)) {
            assertThat(gateway.header("x-one")).isEqualTo("good day a 1");
            assertThat(gateway.header("x-two")).isEqualTo("hello b 2");

            assertThat(gateway.admin("/config"))
                    .contains("\"extensions\":{\"one\":{\"greeting\":\"good day\"},\"two\":{}}");
            assertThat(gateway.admin("/filters")).contains("\"source\":\"extension one\"");
            assertThat(System.getProperty("one.open")).isEqualTo("1");
        }
        assertThat(System.getProperty("one.open")).as("closed with the gateway").isEqualTo("0");
    }

    @Test
    void aClassOfTheJarIsPreferredExceptForThoseOfTheApi() throws Exception {
        byte[] junk = {1, 2, 3};
        ExtensionJars.of("own")
                .with("Lychgate-Extension-Class", "own.Own")
                .with("org/slf4j/Logger.class", junk)
                .with("dev/lychgate/config/Keys.class", junk)
                .with("io/netty/util/AsciiString.class", junk)
                .compiled(Map.of(
                        "com.fasterxml.jackson.core.Version",
                        "package com.fasterxml.jackson.core; public class Version { public static String origin() { return \"own\"; } }",
                        "own.Own",
                        """
                        package own;

                        import dev.lychgate.config.*;
                        import dev.lychgate.extension.*;
                        import java.util.List;

                        public class Own implements Extension<String, String> {
                            public Keys<String> keys() {
                                return Keys.none(() -> com.fasterxml.jackson.core.Version.origin());
                            }

                            public List<ContributedFilter<String, ?>> filters() {
                                return List.of();
                            }

                            public String open(String settings) {
                                org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger("own");
                                System.setProperty("own.origin", settings + io.netty.util.AsciiString.of(log.getName()));
                                return settings;
                            }
                        }
                        """))
                .write(directory.resolve("own.jar"));
        start("extensions: { own: }\n").close();

        assertThat(System.getProperty("own.origin")).isEqualTo("ownown");
    }

    @Test
    void generationsShareTheClassesWhileTheJarIsUnchanged() throws Exception {
        ExtensionJars.sample("shared").write(directory.resolve("shared.jar"));
        String yaml = "extensions: { shared: }\nfilters: { global: [{ shared-stamp: { value: %s } }] }\n";
        try (Served gateway = start(yaml.formatted("a"))) {
            ClassLoader first = loader(gateway);
            Path file = home.resolve("gateway.yml");
            Files.writeString(file, Files.readString(file).replace("value: a", "value: b"));
            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(gateway.header("x-shared")).isEqualTo("hello b 1"));

            assertThat(loader(gateway)).isSameAs(first);
        }
    }

    @Test
    void keepsServingWhenAChangeOfAnExtensionIsRefused() throws Exception {
        ExtensionJars.sample("kept").write(directory.resolve("kept.jar"));
        try (Served gateway = start("extensions: { kept: }\nfilters: { global: [{ kept-stamp: { value: a } }] }\n")) {
            Files.writeString(directory.resolve("kept.jar"), "half a jar");

            Generations.Outcome outcome = gateway.files().reloader().reload("test");

            assertThat(outcome).isInstanceOf(Generations.Outcome.Refused.class);
            assertThat(gateway.header("x-kept")).isEqualTo("hello a 1");
        }
    }

    @Test
    void aChangedJarTakesEffectByItselfAndOldClassesAreUnloaded() throws Exception {
        Path jar = directory.resolve("turn.jar");
        ExtensionJars.sample("turn", "0").write(jar);
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        try (Served gateway = start("extensions: { turn: }\nfilters: { global: [{ turn-stamp: { value: a } }] }\n")) {
            for (int i = 1; i <= 25; i++) {
                ExtensionJars.sample("turn", Integer.toString(i)).write(home.resolve("new.jar"));
                Files.move(home.resolve("new.jar"), jar, StandardCopyOption.ATOMIC_MOVE);
                String expected = "hello a " + i;
                if (i > 1) {
                    gateway.files().reloader().reload("test");
                }
                Eventually.eventually(
                        Duration.ofSeconds(20),
                        () -> assertThat(gateway.header("x-turn")).isEqualTo(expected));
                loaders.add(new WeakReference<>(loader(gateway)));
            }

            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(Integer.getInteger("turn.open", -1)).isEqualTo(1));
            // Five generations are kept, and a loop may reference the previous one.
            Eventually.eventually(Duration.ofSeconds(30), () -> {
                System.gc();
                assertThat(loaders.stream().filter(each -> each.get() != null)).hasSizeLessThan(8);
            });
        }
    }

    @Test
    void aJarThatIsReplacedByOneOfAnotherNameTakesEffectByItself() throws Exception {
        Path jar = ExtensionJars.sample("named", "0").write(directory.resolve("named-1.0.jar"));
        try (Served gateway = start("extensions: { named: }\nfilters: { global: [{ named-stamp: { value: a } }] }\n")) {
            Files.delete(jar);
            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(gateway.files().reloader().refusal()).isNotNull());
            ExtensionJars.sample("named", "1").write(home.resolve("new.jar"));
            Files.move(home.resolve("new.jar"), directory.resolve("named-1.1.jar"), StandardCopyOption.ATOMIC_MOVE);
            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(gateway.header("x-named")).isEqualTo("hello a 1"));
        }
    }

    @Test
    void aRollbackRestoresAnExtensionWhoseJarHasBeenReplaced() throws Exception {
        Path jar = directory.resolve("back.jar");
        ExtensionJars.sample("back", "0").write(jar);
        try (Served gateway = start("extensions: { back: }\nfilters: { global: [{ back-stamp: { value: a } }] }\n")) {
            ExtensionJars.sample("back", "1").write(home.resolve("new.jar"));
            Files.move(home.resolve("new.jar"), jar, StandardCopyOption.ATOMIC_MOVE);
            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(gateway.header("x-back")).isEqualTo("hello a 1"));

            assertThat(gateway.files().reloader().rollback(1)).isInstanceOf(Generations.Outcome.Taken.class);
            assertThat(gateway.header("x-back")).isEqualTo("hello a 0");
            Files.delete(jar);
            assertThat(gateway.files().reloader().rollback(2)).isInstanceOf(Generations.Outcome.Taken.class);
            assertThat(gateway.header("x-back")).isEqualTo("hello a 1");
        }
    }

    @Test
    void aRefusedValueOfAPropertyLeavesNoExtensionOfTheRefusedGenerationOpen() throws Exception {
        System.clearProperty("prop.open");
        ExtensionJars.sample("prop").write(directory.resolve("prop.jar"));
        Path inbound = Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(inbound.resolve("Limit.groovy"), "def limit = property('limit', 5)\nfilter { }\n");
        try (Served gateway = start("""
                extensions: { prop: { greeting: hi } }
                filters: { directory: filters, properties: { limit: 7 }, global: [{ prop-stamp: { value: a } }] }
                """)) {
            Path file = home.resolve("gateway.yml");
            String good = Files.readString(file);
            for (int i = 0; i < 3; i++) {
                Files.writeString(
                        file, good.replace("greeting: hi", "greeting: no" + i).replace("limit: 7", "limit: many"));
                assertThat(gateway.files().reloader().reload("test"))
                        .isInstanceOfSatisfying(
                                Generations.Outcome.Refused.class,
                                refused -> assertThat(refused.toString()).contains("filters.properties.limit"));
            }
            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(System.getProperty("prop.open")).isEqualTo("1"));
            assertThat(gateway.header("x-prop")).isEqualTo("hi a 1");
        }
        assertThat(System.getProperty("prop.open")).isEqualTo("0");
    }

    /** Adds its events to the system property {@code life.events}. */
    private static final String LIFE = """
            package life;

            import dev.lychgate.config.*;
            import dev.lychgate.extension.*;
            import dev.lychgate.filter.*;
            import java.util.List;
            import java.util.concurrent.atomic.LongAdder;

            public final class Life implements Extension<Life.Settings, AutoCloseable> {
                public record Settings(String word) {}

                static synchronized void add(String event) {
                    System.setProperty("life.events", System.getProperty("life.events", "") + event + " ");
                }

                public Keys<Settings> keys() {
                    return Keys.of(Settings::new, Key.text("word").required("a word").about("a word"));
                }

                public AutoCloseable open(Settings settings) {
                    add("open-" + settings.word());
                    return () -> add("close-" + settings.word());
                }

                public List<ContributedFilter<AutoCloseable, ?>> filters() {
                    return List.of(new ContributedFilter<>(
                            "live", "counts", Keys.none(() -> "none"), (shared, none, name) -> new Living(name)));
                }

                static final class Living implements InboundFilter, SyncFilter, AutoCloseable {
                    private final String name;
                    private LongAdder hits;

                    Living(String name) {
                        this.name = name;
                    }

                    public String name() {
                        return name;
                    }

                    public void onLoad(FilterServices services) {
                        hits = services.shared("hits", LongAdder.class, LongAdder::new);
                        services.closeLater((AutoCloseable) () -> add("later"));
                        add("load");
                    }

                    public FilterOutcome filter(FilterExchange exchange) {
                        hits.increment();
                        return exchange.respond(200, "" + hits).header("x-hits", "" + hits);
                    }

                    public void onUnload() {
                        add("unload");
                    }

                    public void close() {
                        add("close-filter");
                    }
                }
            }
            """;

    private static void awaitEvents(String expected) throws Exception {
        Eventually.eventually(
                Duration.ofSeconds(20),
                () -> assertThat(System.getProperty("life.events").strip()).isEqualTo(expected));
    }

    @Test
    void filtersHaveTheLifeCycleOfThoseOfTheDirectory() throws Exception {
        System.clearProperty("life.events");
        ExtensionJars.of("life")
                .with("Lychgate-Extension-Class", "life.Life")
                .with("Lychgate-Extension-Filters", "live")
                .compiled(Map.of("life.Life", LIFE))
                .write(directory.resolve("life.jar"));
        String first = "unload later close-filter close-a";
        String second = "open-a load open-b load " + first + " open-a load " + first.replace("close-a", "close-b");
        try (Served gateway = start("extensions: { life: { word: a } }\nfilters: { global: [live] }\n")) {
            awaitEvents("open-a load");
            assertThat(gateway.header("x-hits")).isEqualTo("1");
            Path file = home.resolve("gateway.yml");
            Files.writeString(file, Files.readString(file).replace("word: a", "word: b"));
            assertThat(gateway.files().reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
            awaitEvents("open-a load open-b load " + first);
            assertThat(gateway.header("x-hits")).as("kept").isEqualTo("2");
            assertThat(gateway.admin("/metrics")).doesNotContain("lychgate_filter_close_failures_total 1");

            assertThat(gateway.files().reloader().rollback(1)).isInstanceOf(Generations.Outcome.Taken.class);
            assertThat(gateway.header("x-hits")).isEqualTo("3");
            awaitEvents(second);
        }
        awaitEvents(second + " " + first);
    }

    @Test
    void theSharedObjectIsClosedWithTheLastExchangeOfItsGeneration() throws Exception {
        System.clearProperty("slow.open");
        ExtensionJars.sample("slow").write(directory.resolve("slow.jar"));
        Gate gate = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
                    gate.await(Duration.ofSeconds(60));
                    connection.send(Responses.ok("origin"));
                });
                Served gateway = start("""
                extensions: { slow: }
                filters: { global: [{ slow-stamp: { value: a } }] }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                """.formatted(origin.port()))) {
            Path file = home.resolve("gateway.yml");
            Files.writeString(file, Files.readString(file).replace("respond: { status: 204 }", "upstream: origin"));
            assertThat(gateway.files().reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
            int port = gateway.files().gateway().port("main");
            try (RawClient slow = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                origin.awaitRequests(1);
                Files.writeString(file, Files.readString(file).replace("value: a", "value: b"));
                assertThat(gateway.files().reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
                Eventually.eventually(
                        Duration.ofSeconds(20),
                        () -> assertThat(System.getProperty("slow.open")).isEqualTo("2"));
                // Longer than several checks for the last exchange.
                Thread.sleep(500);
                assertThat(System.getProperty("slow.open")).isEqualTo("2");
                gate.open();
                assertThat(slow.readResponse().value("x-slow")).contains("hello a 1");
                Eventually.eventually(
                        Duration.ofSeconds(20),
                        () -> assertThat(System.getProperty("slow.open")).isEqualTo("1"));
            }
        }
        assertThat(System.getProperty("slow.open")).isEqualTo("0");
    }

    @Test
    void aRollbackReadsTheFilesOfSettingsAsTheyAreNow() throws Exception {
        Path file = installReader();
        try (Served gateway = start("extensions: { reader: { files: [text] } }\n")) {
            Files.writeString(file, "another");
            assertThat(gateway.files().reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
            System.clearProperty("reader.text");

            assertThat(gateway.files().reloader().rollback(1)).isInstanceOf(Generations.Outcome.Taken.class);
            assertThat(System.getProperty("reader.text")).isEqualTo("another");
        }
    }

    @Test
    void theDocumentedExtensionGreets() throws Exception {
        String page = Files.readString(Path.of("../docs/extensions.md"));
        String code = page.substring(page.indexOf("```java\n") + 8, page.indexOf("```\n\nThe manifest"));
        String manifest = page.substring(page.indexOf("Lychgate-Extension: "), page.indexOf("```\n\n- `keys()`"));
        ExtensionJars jar = ExtensionJars.of("").compiled(Map.of("example.Greeting", code));
        manifest.lines().map(line -> line.split(": ", 2)).forEach(attribute -> jar.with(attribute[0], attribute[1]));
        jar.write(directory.resolve("greeting.jar"));
        try (Served gateway =
                start("extensions: { greeting: { word: hello } }\nfilters: { global: [{ greet: { name: you } }] }\n")) {
            assertThat(gateway.header("x-greeting")).isEqualTo("hello you");
        }
    }

    /**
     * Installs an extension that reads a file.
     *
     * @return the file
     */
    private Path installReader() throws Exception {
        ExtensionJars.of("reader")
                .with("Lychgate-Extension-Class", "reader.Reader")
                .compiled(Map.of("reader.Reader", """
                        package reader;

                        import dev.lychgate.config.*;
                        import dev.lychgate.extension.*;
                        import java.util.List;

                        public class Reader implements Extension<List<String>, String> {
                            private static final Key<List<String>> FILES =
                                    Key.typed("files", Form.list(Form.FILE), List.of());

                            public Keys<List<String>> keys() {
                                return Keys.of(files -> files, FILES);
                            }

                            public List<ContributedFilter<String, ?>> filters() {
                                return List.of();
                            }

                            public String open(List<String> files) throws Exception {
                                String text = java.nio.file.Files.readString(java.nio.file.Path.of(files.get(0)));
                                System.setProperty("reader.text", text);
                                return text;
                            }
                        }
                        """))
                .write(directory.resolve("reader.jar"));
        return Files.writeString(home.resolve("text"), "one");
    }

    @Test
    void aFileOfASettingBelongsToTheGeneration() throws Exception {
        Path file = installReader();
        try (Served gateway = start("extensions: { reader: { files: [text] } }\n")) {
            assertThat(System.getProperty("reader.text")).isEqualTo("one");
            long before = gateway.files().gateway().generation().number();
            gateway.files().reloader().reload("test");
            assertThat(gateway.files().gateway().generation().number())
                    .as("nothing changed")
                    .isEqualTo(before);

            Files.writeString(file, "another");
            Eventually.eventually(
                    Duration.ofSeconds(20),
                    () -> assertThat(System.getProperty("reader.text")).isEqualTo("another"));
        }
    }

    private static ClassLoader loader(Served gateway) {
        FilterSet filters = gateway.files().gateway().generation().filterSet();
        return Objects.requireNonNull(
                filters.entries().get(0).filter().getClass().getClassLoader());
    }

    private static final String LIMITED = """
            package limited;

            import dev.lychgate.config.*;
            import dev.lychgate.extension.*;
            import dev.lychgate.filter.*;
            import java.util.List;

            public final class Limited implements Extension<String, String> {
                public Keys<String> keys() {
                    return Keys.none(() -> "none");
                }

                public String open(String settings) {
                    return settings;
                }

                public List<ContributedFilter<String, ?>> filters() {
                    return List.of(new ContributedFilter<>(
                            "limit", "limits", Keys.none(() -> "none"), (shared, none, name) -> new Limiting()));
                }

                static final class Limiting implements InboundFilter, SyncFilter {
                    private FilterProperty<Integer> limit;

                    public String name() {
                        return "limit";
                    }

                    public void onLoad(FilterServices services) {
                        limit = services.property("limit", 100);
                    }

                    public FilterOutcome filter(FilterExchange exchange) {
                        String values = exchange.get(limit) + " " + limit.get();
                        return exchange.respond(200, values).header("x-limit", values);
                    }
                }
            }
            """;

    private GatewayConfig limited(String properties) throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, respond: { status: 204 } }]
                extensions: { limited: }
                filters: { global: [limit], properties: {%s} }
                """.formatted(properties));
        return new ConfigReader(name -> null).read(file).config();
    }

    private static String limit(Lychgate gateway) throws Exception {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")))) {
            return client.get("/").value("x-limit").orElse("none");
        }
    }

    @Test
    void filtersReadThePropertiesOfAnEmbeddedGatewayWithoutAFilterDirectory() throws Exception {
        ExtensionJars.of("limited")
                .with("Lychgate-Extension-Class", "limited.Limited")
                .with("Lychgate-Extension-Filters", "limit")
                .compiled(Map.of("limited.Limited", LIMITED))
                .write(directory.resolve("limited.jar"));
        try (Lychgate gateway = Lychgate.start(limited("limit: 7"))) {
            assertThat(limit(gateway)).isEqualTo("7 7");
            gateway.apply(limited("limit: 8"));
            assertThat(limit(gateway)).isEqualTo("8 8");
            GatewayConfig wrong = limited("limit: many");
            assertThatThrownBy(() -> gateway.apply(wrong))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("filters.properties.limit: many");
            assertThat(FilterAssembly.faults(wrong, Map.of())).hasSize(1);
            assertThat(limit(gateway)).isEqualTo("8 8");
        }
    }
}
