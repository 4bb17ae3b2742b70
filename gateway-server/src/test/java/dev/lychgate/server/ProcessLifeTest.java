package dev.lychgate.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of signals and exit codes of the process, observed from outside. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no such signals")
@Tag("slow")
class ProcessLifeTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @TempDir
    Path home = Path.of("");

    private final Gate gate = new Gate();
    private ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
        gate.await(LONGEST);
        c.send(Responses.ok("late"));
    });
    private Path config = Path.of("");

    @BeforeEach
    void files() throws Exception {
        config = home.resolve("gateway.yml");
        Files.createDirectories(home.resolve("filters/inbound"));
        configure(1, "first", "");
    }

    @AfterEach
    void end() {
        gate.open();
        origin.close();
    }

    private void configure(int workers, String body, String more) throws Exception {
        Files.writeString(config, """
                workers: %d
                drain: { timeout: 10m }
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                watch: off
                routes:
                  - { id: slow, match: { path: /slow }, upstream: origin }
                  - { id: all, respond: { status: 200, body: %s } }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                admin: { address: "127.0.0.1:0" }
                access-log: { file: "%s" }
                %s
                """.formatted(workers, body, origin.port(), home.resolve("access.log"), more));
    }

    private void addSpinner() throws Exception {
        Files.writeString(
                home.resolve("filters/inbound/spinner.groovy"),
                "applies { it.request.path == '/spin' }\nfilter { while (true) { } }\n");
    }

    private static RawClient get(ChildGateway child, String path) throws Exception {
        return child.client().send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private static void assertAnswers(ChildGateway child, String body) throws Exception {
        try (RawClient client = child.client()) {
            assertThat(client.get("/").body()).isEqualTo(body);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLoopThatNeverReturnsEndsTheProcessWith70(int workers) throws Exception {
        configure(workers, "first", "stall: { after: 500ms, not-ready: 1s, exit: 8s }");
        addSpinner();
        try (ChildGateway child = ChildGateway.start(config);
                RawClient stuck = get(child, "/spin")) {
            assertThat(stuck).isNotNull();
            Eventually.eventually(LONGEST, () -> {
                try (RawClient admin = child.admin()) {
                    // The admin listener rejects names of other hosts.
                    var ready = admin.send("GET /ready HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                            .readResponse();
                    assertThat(ready.status()).isEqualTo(503);
                    assertThat(ready.body()).contains("loop-stalled");
                }
            });
            assertThat(child.exitCode()).isEqualTo(70);
            assertThat(child.log())
                    .contains("has made no progress for 1 s; it has run inbound filter spinner")
                    .contains("at spinner.groovy:2")
                    .contains("the gateway failed, because an event loop ended or stalled; ending the process");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sigtermEndsAProcessWithALoopThatNeverReturns(int workers) throws Exception {
        configure(workers, "first", "");
        addSpinner();
        try (ChildGateway child = ChildGateway.start(config);
                RawClient stuck = get(child, "/spin")) {
            assertThat(stuck).isNotNull();
            child.awaitLine("blocks event loop");
            child.signal("TERM");
            assertThat(child.exitCode()).as("a connection is cut").isEqualTo(1);
        }
    }

    @Test
    void sigtermLetsRequestsFinishAndASecondOneAbortsThem() throws Exception {
        try (ChildGateway child = ChildGateway.start(config);
                RawClient slow = get(child, "/slow")) {
            origin.awaitRequests(1);
            child.signal("TERM");
            child.awaitLine("draining, at most");
            child.signal("TERM");
            assertThat(slow.readResponse().status()).isEqualTo(503);
            assertThat(child.exitCode()).isEqualTo(1);
            assertThat(child.log()).contains("SIGTERM while draining: aborting running exchanges");
        }
    }

    private static void changeLogLevels(ChildGateway child, int times) throws Exception {
        try (RawClient admin = child.admin()) {
            for (int i = 0; i < times; i++) {
                var changed = admin.send("POST /log?logger=a.B&level=info HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                + "x-lychgate-admin: test\r\n\r\n")
                        .readResponse();
                assertThat(changed.status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aLogThatIsNotReadBlocksNoEventLoopAndLosesNoLineThatItsQueueHolds() throws Exception {
        // Each of these is a line of the audit log, written on the event loop: together more than a pipe holds.
        int changes = 2000;
        try (ChildGateway child = ChildGateway.startUnread(config)) {
            changeLogLevels(child, changes);
            assertAnswers(child, "first");
            // At its end, the process waits only briefly for a reader.
            FutureTask<String> reading = new FutureTask<>(child::readRest);
            new Thread(reading).start();
            child.signal("TERM");
            String rest = reading.get();
            assertThat(rest.lines().filter(line -> line.contains("logger=\"a.B\"")))
                    .hasSize(changes);
            assertThat(rest).contains("drained, nothing was aborted");
            assertThat(child.exitCode()).isZero();
        }
    }

    @Test
    void aLogThatIsNeverReadDoesNotPreventTheEndOfTheProcess() throws Exception {
        try (ChildGateway child = ChildGateway.startUnread(config)) {
            changeLogLevels(child, 2000);
            child.signal("TERM");
            assertThat(child.exitCode()).isZero();
        }
    }

    private static Process fedWith(String configuration, String command) throws Exception {
        Process process =
                ChildGateway.command("", command, "--config", "/dev/stdin").start();
        try (Writer in = process.outputWriter()) {
            in.write(configuration);
        }
        return process;
    }

    @Test
    void checksAConfigurationFromAPipe() throws Exception {
        Process check = fedWith(
                Files.readString(config).replace("directory: filters", "directory: '" + home + "/filters'"), "check");
        assertThat(new String(check.getInputStream().readAllBytes(), UTF_8)).isEqualTo("ok\n");
        assertThat(check.waitFor()).isZero();
    }

    /** The process is read by a thread that can be abandoned, because a missing line would block it for ever. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void runsAndReloadsAConfigurationFromAPipe() throws Exception {
        Process run = fedWith("listeners: [{ name: main, address: '127.0.0.1:0' }]\n", "run");
        try {
            BufferedReader output = run.inputReader();
            awaitLine(output, "ready after");
            new ProcessBuilder("kill", "-HUP", Long.toString(run.pid())).start().waitFor();
            awaitLine(output, "requested by SIGHUP; nothing has changed");
            new ProcessBuilder("kill", "-TERM", Long.toString(run.pid()))
                    .start()
                    .waitFor();
            awaitLine(output, "drained, nothing was aborted");
            assertThat(run.waitFor()).isZero();
        } finally {
            run.destroyForcibly();
        }
    }

    private static void awaitLine(BufferedReader output, String part) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.contains(part)) {
                return;
            }
        }
        throw new AssertionError("no line with '" + part + "' in " + lines);
    }

    @Test
    void reportsWhyItDoesNotStart() throws Exception {
        configure(1, "first", "log: { level: debug }");
        addSpinner();
        Files.writeString(home.resolve("filters/inbound/broken.groovy"), "filter { it.nonsense() }");
        try (ChildGateway child = ChildGateway.launch(config, "")) {
            assertThat(child.exitCode()).isEqualTo(78);
            assertThat(child.log().lines()).last().asString().startsWith("inbound/broken.groovy:1:");
        }
    }

    @Test
    void aCommandFailsIfItsOutputIsLost() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        for (String command : List.of("check", "version")) {
            List<String> words = new ArrayList<>(List.of(command));
            if (command.equals("check")) {
                words.addAll(List.of("--config", config.toString()));
            }
            Process process = ChildGateway.command("", words.toArray(String[]::new))
                    .redirectErrorStream(false)
                    .redirectOutput(Path.of("/dev/full").toFile())
                    .start();
            assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
                    .isEqualTo("lychgate: standard output can't be written, so output is missing\n");
            assertThat(process.waitFor()).isEqualTo(1);
        }
    }

    @Test
    void aSingleSigtermLetsRequestsFinish() throws Exception {
        try (ChildGateway child = ChildGateway.start(config);
                RawClient slow = get(child, "/slow")) {
            origin.awaitRequests(1);
            child.signal("TERM");
            child.awaitLine("draining, at most");
            gate.open();
            assertThat(slow.readResponse().body()).isEqualTo("late");
            assertThat(child.exitCode()).isZero();
        }
    }

    @Test
    void sighupReloads() throws Exception {
        try (ChildGateway child = ChildGateway.start(config)) {
            assertAnswers(child, "first");
            configure(1, "second", "");
            child.signal("HUP");
            Eventually.eventually(LONGEST, () -> assertAnswers(child, "second"));
            Files.writeString(config, "nonsense: true\n");
            child.signal("HUP");
            child.awaitLine("refused: " + config);
            assertAnswers(child, "second");
            child.signal("TERM");
            assertThat(child.exitCode()).isZero();
        }
    }

    @Test
    void sigusr1ReopensTheAccessLogAndLosesNoLine() throws Exception {
        Path log = home.resolve("access.log");
        Path moved = home.resolve("access.log.moved");
        try (ChildGateway child = ChildGateway.start(config)) {
            assertAnswers(child, "first");
            Files.move(log, moved);
            assertAnswers(child, "first");
            // A line may be written after its response.
            Eventually.eventually(
                    LONGEST, () -> assertThat(Files.readAllLines(moved)).hasSize(2));
            child.signal("USR1");
            Eventually.eventually(LONGEST, () -> assertThat(log).exists());
            assertAnswers(child, "first");
            child.signal("TERM");
            assertThat(child.exitCode()).isZero();
        }
        assertThat(Files.readAllLines(moved)).hasSize(2);
        assertThat(Files.readAllLines(log)).hasSize(1);
    }

    @Test
    void tooFewDescriptorsFailTheStart() throws Exception {
        try (ChildGateway child = ChildGateway.launch(config, "ulimit -n 256;")) {
            assertThat(child.exitCode()).isEqualTo(78);
            assertThat(child.log())
                    .contains("lychgate: the process may open 256 files, which leaves room for 1 client connections"
                            + " (expected: at least 64); raise ulimit -n to 384 for the minimum")
                    .doesNotContain("listening on");
        }
    }

    @Test
    void aReloadThatLeavesTooFewDescriptorsIsRefused() throws Exception {
        String alone = """
                workers: 1
                watch: off
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, respond: { status: 200, body: first } }]
                access-log: { format: off }
                """;
        Files.writeString(config, alone);
        try (ChildGateway child = ChildGateway.launch(config, "ulimit -n 340;")) {
            child.awaitLine("ready after");
            Files.writeString(config, alone.replace("first", "second") + """
                    upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                    """.formatted(origin.port()));
            child.signal("HUP");
            child.awaitLine("the process may open 340 files, which leaves room for 42 client connections");
            assertAnswers(child, "first");
        }
    }

    @Test
    void fewDescriptorsAreAWarning() throws Exception {
        try (ChildGateway child = ChildGateway.launch(config, "ulimit -n 512;")) {
            child.awaitLine("ready after");
            assertThat(child.log())
                    .containsPattern(
                            "WARN .*listener main: accepts 128 connections instead of 20000: 512 files may be open");
        }
    }
}
