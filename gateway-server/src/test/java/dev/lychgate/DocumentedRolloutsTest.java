package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.admin.RolloutControl.State;
import dev.lychgate.server.admin.RolloutControl.Status;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk-through of docs/rollouts.md, command by command. */
@Tag("slow")
class DocumentedRolloutsTest {
    private static final Pattern ECHO = Pattern.compile("echo \"([^\"]*)\" > (filters/\\S+)");
    private static final Pattern CURL = Pattern.compile("curl -s -i (?:-H '([^']*)' )?http://127\\.0\\.0\\.1:8080/");

    @TempDir
    Path home = Path.of("");

    private @Nullable FileGateway<Lychgate> gateway;
    /** The outcome of each command, in a line. */
    private final List<String> outcomes = new ArrayList<>();

    @AfterEach
    void close() {
        if (gateway != null) {
            gateway.gateway().close();
            gateway.close();
        }
    }

    private FileGateway<Lychgate> gateway() {
        if (gateway == null) {
            throw new AssertionError("not started");
        }
        return gateway;
    }

    private Status status() {
        return gateway().reloader().rollouts().status();
    }

    @Test
    void everyCommandOfTheWalkThroughDoesAsThePageStates() throws Exception {
        String config = Snippets.yaml("rollouts.md").get(0).replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:0");
        Files.writeString(home.resolve("gateway.yml"), config);
        for (String line : Snippets.shell("rollouts.md")) {
            run(line);
        }
        assertThat(outcomes)
                .containsExactly(
                        "running: hold",
                        "version 1 or 2",
                        "version 2 for x-canary: yes",
                        "running at 25%",
                        "paused at 25%",
                        "running at 25%",
                        "promoted",
                        "version 2",
                        "aborted",
                        "version 2",
                        "running at 1%",
                        "aborted: hold");
    }

    private void run(String line) throws Exception {
        Matcher echo = ECHO.matcher(line);
        Matcher curl = CURL.matcher(line);
        if (line.startsWith("mkdir -p ")) {
            Files.createDirectories(home.resolve(line.substring("mkdir -p ".length())));
        } else if (echo.matches()) {
            write(home.resolve(echo.group(2)), echo.group(1) + "\n");
        } else if (line.equals("lychgate run --config gateway.yml")) {
            gateway = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
        } else if (curl.matches()) {
            outcomes.add(version(curl.group(1)));
        } else {
            assertThat(line).startsWith("lychgate ");
            command(line.substring("lychgate ".length()).split(" "));
        }
    }

    /** Writes a file, and waits until the gateway has read it. */
    private void write(Path file, String text) throws Exception {
        boolean ran = gateway != null && status().state() == State.RUNNING;
        Path whole = Files.writeString(file.resolveSibling(".new"), text);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        if (gateway != null) {
            eventually(
                    Duration.ofSeconds(30),
                    () -> assertThat(status().state()).isEqualTo(ran ? State.ABORTED : State.RUNNING));
        }
    }

    private String version(@Nullable String field) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway().gateway().port("main")))) {
            String version = client.send(
                            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + (field == null ? "" : field + "\r\n") + "\r\n")
                    .readResponse()
                    .value("x-version")
                    .orElse("none");
            if (field == null && status().state() == State.RUNNING) {
                assertThat(version).as("the client's hash decides").isIn("1", "2");
                return "version 1 or 2";
            }
            return "version " + version + (field == null ? "" : " for " + field);
        }
    }

    private void command(String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.addAll(List.of("--admin", "127.0.0.1:" + gateway().gateway().adminPort()));
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        Surroundings surroundings =
                new Surroundings(new DataPlaneEngine(), name -> null, printer, printer, hook -> {}, Signals.NONE);
        int code = LychgateCommand.execute(surroundings, all.toArray(String[]::new));
        assertThat(code).as(String.join(" ", words) + ": " + output).isZero();
        Status status = status();
        String state = status.state().name().toLowerCase(Locale.ROOT);
        if (words[words.length - 1].equals("status")) {
            assertThat(output.toString()).contains(state);
            outcomes.add(state + ": " + status.verdict());
        } else {
            outcomes.add(state + (status.state().isOver() ? "" : " at " + Math.round(100 * status.share()) + "%"));
        }
    }
}
