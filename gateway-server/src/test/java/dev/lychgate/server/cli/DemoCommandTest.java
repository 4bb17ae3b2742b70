package dev.lychgate.server.cli;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.engine.GatewayEngine;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.Environment;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate demo} with a real gateway, and the commands that it prints. */
@Tag("slow")
class DemoCommandTest {
    private static final String FILTER = "filters/outbound/Headers.groovy";

    @TempDir
    Path home = Path.of("");

    @Test
    void deploysAFileThatIsSavedAndRollsItBack() throws Exception {
        Path directory = home.resolve("my-demo");
        try (Running demo = new Running("--traffic", "off", "--directory", directory.toString())) {
            assertThat(demo.get("/").value("x-served-by")).contains("lychgate");

            Path filter = directory.resolve(FILTER);
            Files.writeString(filter, Files.readString(filter).replace("'lychgate'", "'my demo'"));
            eventually(() -> assertThat(demo.get("/").value("x-served-by")).contains("my demo"));

            assertThat(run("rollback", "1", "--admin", demo.admin())).isEqualTo("0: ");
            assertThat(demo.get("/").value("x-served-by")).contains("lychgate");

            assertThat(run("reload", "--admin", demo.admin())).isEqualTo("0: ");
            assertThat(demo.get("/").value("x-served-by")).contains("my demo");
        }
        assertThat(directory.resolve(FILTER)).as("is kept").content().contains("'my demo'");
    }

    @Test
    void reloadsOnSighup() throws Exception {
        try (Running demo = new Running("--traffic", "off", "--directory", home.toString())) {
            Path config = home.resolve("demo.yml");
            Files.writeString(config, Files.readString(config).replace("Welcome to Lychgate", "Welcome back"));
            Objects.requireNonNull(demo.signals.get("HUP")).run();
            assertThat(demo.get("/welcome").body()).isEqualTo("Welcome back.\n");
        }
    }

    @Test
    void startsFromTheFilesOfADirectoryThatItHasWrittenBefore() throws Exception {
        new Running("--traffic", "off", "--directory", home.toString()).close();
        Path filter = home.resolve(FILTER);
        Files.writeString(filter, "filter { it.response.headers['x-served-by'] = 'before' }\n");

        try (Running demo = new Running("--traffic", "off", "--directory", home.toString())) {
            RawMessage response = demo.get("/headers");
            assertThat(response.value("x-served-by")).contains("before");
            assertThat(response.body()).as("from the origin of this start").contains("\"target\":\"/headers\"");
        }
    }

    @Test
    void writesFilesThatPassTheCheckWithoutAWarning() throws Exception {
        try (Running demo = new Running("--traffic", "off", "--directory", home.toString())) {
            assertThat(demo.port()).isPositive();

            assertThat(run("check", "--config", home.resolve("demo.yml").toString()))
                    .isEqualTo("0: ");
        }
        assertThat(run("check", "--config", home.resolve("demo.yml").toString()))
                .isEqualTo("0: ");
    }

    @Test
    void namesTheTemporaryDirectoryAndRemovesItAtTheEnd() throws Exception {
        Path directory;
        try (Running demo = new Running("--traffic", "off")) {
            Matcher line = Pattern.compile("Change a file in (\\S+) \\(removed at the end; --directory DIR keeps it\\)")
                    .matcher(demo.printed());
            assertThat(line.find()).as(demo.printed()).isTrue();
            directory = Path.of(line.group(1));
            assertThat(directory.resolve("demo.yml")).exists();
            assertThat(directory.resolve(FILTER)).exists();
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void sendsItsOwnTrafficByDefault() throws Exception {
        try (Running demo = new Running()) {
            eventually(Duration.ofSeconds(30), () -> {
                String traffic = demo.ask(demo.admin(), "/traffic").body();
                for (String route : List.of("demo", "payments", "orders", "reports", "inventory", "moved")) {
                    assertThat(traffic).containsPattern("\"id\":\"" + route + "\"[^]]*\"total\":[1-9]");
                }
            });
            assertThat(demo.printed()).contains("Traffic: the demo sends 10 requests per second");
        }
        // A thread ends shortly after its event loop.
        eventually(() -> assertThat(trafficThreads()).as("ended with the demo").isEmpty());
    }

    @Test
    void sendsNoTrafficIfItIsOff() throws Exception {
        try (Running demo = new Running("--traffic", "off")) {
            assertThat(demo.get("/").status()).isEqualTo(200);

            assertThat(trafficThreads()).isEmpty();
            assertThat(demo.printed()).contains("Traffic: off.");
        }
    }

    @Test
    void refusesADirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(home.resolve("file"), "");

        assertThat(run("demo", "--port", "0", "--admin-port", "0", "--directory", file.toString()))
                .isEqualTo(
                        "1: lychgate: can't write the demo's files to " + file + ": " + file + " is not a directory");
    }

    @Test
    void reportsFaultsOfAKeptConfigurationWithLineAndColumn() throws Exception {
        Path config = Files.writeString(home.resolve("demo.yml"), "listener: []\n");

        assertThat(run("demo", "--port", "0", "--admin-port", "0", "--directory", home.toString()))
                .startsWith("78: " + config + ":1:1: ");
    }

    @Test
    void rejectsAnotherValueForTheTraffic() {
        assertThat(run("demo", "--traffic", "heavy"))
                .isEqualTo("64: lychgate: --traffic: heavy (expected: on or off) (try: lychgate demo --help)");
    }

    @Test
    void namesItsOptionsInTheHelp() {
        Terminal terminal = new Terminal();

        assertThat(terminal.run("demo", "--help")).isZero();

        assertThat(terminal.out())
                .contains("--traffic=on|off", "--directory=DIR", "--port", "--admin-port")
                .contains("lychgate demo --directory my-demo --traffic off");
    }

    private static List<String> trafficThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("demo-traffic"))
                .toList();
    }

    /**
     * Runs a command to its end.
     *
     * @return its exit code and its standard error
     */
    private static String run(String... args) {
        StringWriter err = new StringWriter();
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        name -> null,
                        new PrintWriter(new StringWriter()),
                        new PrintWriter(err, true),
                        hook -> {},
                        Signals.NONE),
                args);
        return code + ": " + err.toString().strip();
    }

    /** A demo on free ports; closing it drains it, and expects exit code 0. */
    private static final class Running implements AutoCloseable, GatewayEngine {
        final Map<String, Runnable> signals = new ConcurrentHashMap<>();
        private final GatewayEngine engine = new DataPlaneEngine();
        private final CompletableFuture<RunningGateway> started = new CompletableFuture<>();
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final FutureTask<Integer> exit;

        Running(String... options) throws Exception {
            List<String> args = new ArrayList<>(List.of("demo", "--port", "0", "--admin-port", "0"));
            args.addAll(List.of(options));
            Surroundings surroundings = new Surroundings(
                    this,
                    name -> null,
                    new PrintWriter(out, true),
                    new PrintWriter(err, true),
                    hook -> {},
                    signals::put);
            exit = new FutureTask<>(() -> LychgateCommand.execute(surroundings, args.toArray(String[]::new)));
            new Thread(exit, "demo").start();
            eventually(
                    Duration.ofSeconds(60),
                    () -> assertThat(printed()).as(err.toString()).contains("Stop with"));
        }

        int port() throws Exception {
            return gateway().listeners().get(0).address().getPort();
        }

        String admin() throws Exception {
            return Service.print(Objects.requireNonNull(gateway().admin()));
        }

        String printed() {
            return out.toString();
        }

        RawMessage get(String path) throws Exception {
            return ask("127.0.0.1:" + port(), path);
        }

        RawMessage ask(String address, String path) throws Exception {
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                return client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        .readResponse();
            }
        }

        private RunningGateway gateway() throws Exception {
            return started.get(1, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            assertThat(started.join().drain(Duration.ofSeconds(30)))
                    .as("drained, nothing cut")
                    .isTrue();
            assertThat(exit)
                    .succeedsWithin(Duration.ofSeconds(30))
                    .as(err.toString())
                    .isEqualTo(0);
        }

        @Override
        public List<ConfigException> faults(GatewayConfig config) {
            return engine.faults(config);
        }

        @Override
        public RunningGateway start(Path file, Environment environment, GatewayConfig config) throws StartException {
            RunningGateway gateway = engine.start(file, environment, config);
            started.complete(gateway);
            return gateway;
        }

        @Override
        public Explanation explain(Path file, Environment environment, GatewayConfig config, Inquiry inquiry) {
            return engine.explain(file, environment, config, inquiry);
        }
    }
}
