package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GateConfig;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration, the filters and the commands of docs/gate.md. */
@Tag("slow")
class DocumentedGateTest {
    private static final Path PAGE = Path.of("../docs/gate.md");
    private static final Pattern GROOVY = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

    @TempDir
    Path home = Path.of("");

    private Path config() throws Exception {
        Matcher snippets = GROOVY.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            // As on the page: the path is in the first line, so that the lines of faults match.
            write(snippets.group(1), "// " + snippets.group(1) + "\n" + snippets.group(2));
        }
        // The time limit of the page is too short for a machine that pauses.
        String yaml = Snippets.yaml("gate.md").get(0);
        assertThat(yaml).contains("timeout: 5s");
        return write("../gateway.yml", Snippets.onFreePorts(yaml.replace("timeout: 5s", "timeout: 60s")) + """
                        routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
                        upstreams: { origin: { endpoints: ["http://127.0.0.1:9"] } }
                        watch: off
                        admin: { address: "127.0.0.1:0" }
                        """);
    }

    private Path write(String path, String text) throws Exception {
        Path file = home.resolve("filters").resolve(path).normalize();
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Returns the output on the page. */
    private static List<String> texts() throws Exception {
        return BLOCK.matcher(Files.readString(PAGE))
                .results()
                .filter(block -> block.group(1).isEmpty())
                .map(block -> block.group(2))
                .toList();
    }

    @Test
    void theTestRefusesAChangeThatOmitsTheHeader() throws Exception {
        try (Served served = new Served(config())) {
            assertThat(served.files.gateway().generation().config().lifecycle().gate())
                    .isEqualTo(new GateConfig(
                            GateConfig.Check.REQUIRE,
                            GateConfig.Check.REQUIRE,
                            GateConfig.Check.OFF,
                            500,
                            Duration.ofSeconds(60)));
            write("outbound/Stamp.groovy", "filter { }");

            Outcome outcome = served.files.reloader().reload("test");

            assertThat(((Outcome.Refused) outcome).faults())
                    .containsExactly(texts().get(0).strip());
        }
    }

    @Test
    void theReplayRefusesAChangeOfRecordedExchanges() throws Exception {
        Path config = config();
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("shop")))) {
            Files.writeString(
                    config,
                    Snippets.onFreePorts(Snippets.yaml("gate.md").get(1))
                                    .replaceAll(
                                            "endpoints: \\[.*?\\]",
                                            "endpoints: [\"http://127.0.0.1:" + origin.port() + "\"]")
                                    .replace("share: 1%", "share: 100%")
                                    .replace("replay: warn", "replay: require, timeout: 60s")
                            + "watch: off\n");
            try (Served served = new Served(config)) {
                try (RawClient client = RawClient.connect(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), served.files.gateway().port("main")))) {
                    for (int i = 0; i < 20; i++) {
                        client.get("/");
                    }
                }
                write("outbound/Stamp.groovy", "filter { it.response.headers['x-stamp'] = 'new' }");
                Files.delete(home.resolve("filters/outbound/StampTest.groovy"));

                // The recording is written some 100 ms later.
                String first = anonymous(texts().get(1).lines().findFirst().orElseThrow());
                eventually(
                        Duration.ofMinutes(1), () -> assertThat(dryRun(served)).contains(first));
                Outcome outcome = served.files.reloader().reload("test");

                assertThat(((Outcome.Refused) outcome).faults())
                        .map(DocumentedGateTest::anonymous)
                        .map(line -> line.replace(config.toString(), "gateway.yml"))
                        .containsExactlyElementsOf(texts().get(1)
                                .lines()
                                .map(DocumentedGateTest::anonymous)
                                .toList());
            }
        }
    }

    private static String dryRun(Served served) {
        return anonymous(served.files.reloader().proposals().dryRun().join().toString());
    }

    private static String anonymous(String line) {
        return line.replaceAll("request [0-9a-f]+", "request ID");
    }

    @Test
    void theDifferencesAreThoseOfThePage() throws Exception {
        Path config = config();
        try (Served served = new Served(config)) {
            Files.writeString(
                    config,
                    Files.readString(config)
                            .replace("\"/**\"", "\"/all/**\"")
                            .replace("upstreams: {", "upstreams: { search: { endpoints: [\"http://127.0.0.1:8\"] },"));
            write(
                    "outbound/Stamp.groovy",
                    Files.readString(home.resolve("filters/outbound/Stamp.groovy"))
                            .replace("'gate'", "'new'"));

            Printed printed =
                    run("diff", "--admin", "127.0.0.1:" + served.files.gateway().adminPort());

            assertThat(printed.code).isEqualTo(1);
            assertThat(printed.out.lines()).containsAll(texts().get(2).lines().toList());
        }
    }

    @Test
    void everyCommandOfThePipelineSucceeds() throws Exception {
        Path config = config();
        try (Served served = new Served(config)) {
            List<String> commands = Snippets.shell("gate.md");
            assertThat(commands).hasSize(3);
            for (String command : commands) {
                String here = command.replace(
                                "127.0.0.1:8081",
                                "127.0.0.1:" + served.files.gateway().adminPort())
                        .replace("gateway.yml", config.toString());
                assertThat(run(here.substring("lychgate ".length()).split(" ")).code)
                        .as(command)
                        .isZero();
            }
        }
    }

    private record Printed(int code, String out) {}

    private static Printed run(String... args) {
        StringWriter out = new StringWriter();
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        name -> null,
                        new PrintWriter(out),
                        new PrintWriter(out),
                        hook -> {},
                        Signals.NONE),
                args);
        return new Printed(code, out.toString());
    }

    private static final class Served implements AutoCloseable {
        private final FileGateway<Lychgate> files;

        Served(Path config) throws Exception {
            this.files = FileGateway.start(config, name -> null, Lychgate::start);
        }

        @Override
        public void close() {
            files.gateway().close();
            files.close();
        }
    }
}
