package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangeHistory.Query;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk-through of docs/history.md, command by command. */
@Tag("slow")
class DocumentedHistoryTest {
    private static final Pattern ECHO = Pattern.compile("echo \"([^\"]*)\" > (filters/\\S+)");

    @TempDir
    Path home = Path.of("");

    private @Nullable FileGateway<Lychgate> gateway;
    private final List<String> outputs = new ArrayList<>();

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

    @Test
    void everyCommandOfTheWalkThroughDoesAsThePageStates() throws Exception {
        String config = Snippets.yaml("history.md").get(0).replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:0");
        Files.writeString(home.resolve("gateway.yml"), config);
        for (String line : Snippets.shell("history.md")) {
            run(line);
        }
        String history = outputs.get(2);
        // As the page shows it, apart from times, ports and digests.
        assertThat(history.lines()
                        .filter(line -> line.startsWith("#"))
                        .map(line -> line.replaceAll("  \\d{4}-\\S+", "")
                                .replaceAll("(from \\S+:)\\d+| with nothing|  \\d+ ms", "")))
                .containsExactly(
                        "#5  filters  accepted  by cli ",
                        "#4  filters  accepted  by cli ",
                        "#3  reload  refused  by watch  generation 2",
                        "#2  reload  accepted  by watch  generation 1 to 2",
                        "#1  start  accepted  by gateway  generation 1");
        assertThat(history)
                .contains("    phase=outbound name=version state=enabled")
                .contains("    changed filters:outbound/version.groovy  ")
                .contains("    outbound/version.groovy:1:45: ");
        assertThat(outputs.get(3)).startsWith("whole: 5 entries, 1 to 5");
        assertThat(outputs.get(5)).isEqualTo("1");
    }

    private void run(String line) throws Exception {
        Matcher echo = ECHO.matcher(line);
        if (line.startsWith("mkdir -p ")) {
            Files.createDirectories(home.resolve(line.substring("mkdir -p ".length())));
        } else if (echo.matches()) {
            write(home.resolve(echo.group(2)), echo.group(1) + "\n");
        } else if (line.equals("lychgate run --config gateway.yml")) {
            gateway = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
            eventually(() -> assertThat(entries()).isEqualTo(1));
        } else if (line.startsWith("curl -s -i http://127.0.0.1:8080/")) {
            try (RawClient client = RawClient.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), gateway().gateway().port("main")))) {
                outputs.add(client.get("/").value("x-version").orElse("none"));
            }
        } else {
            assertThat(line).startsWith("lychgate ");
            command(line.substring("lychgate ".length()).split(" "));
        }
    }

    /** Writes a file, and waits until the history has the result. */
    private void write(Path file, String text) throws Exception {
        int before = gateway == null ? 0 : entries();
        Path whole = Files.writeString(file.resolveSibling(".new"), text);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        if (gateway != null) {
            eventually(Duration.ofSeconds(30), () -> assertThat(entries()).isGreaterThan(before));
        }
    }

    private int entries() throws Exception {
        return ChangeHistory.read(
                        ChangeHistory.file(home.resolve("gateway.yml"), HistoryConfig.DEFAULT),
                        new Query(Long.MAX_VALUE, 100, null, null))
                .size();
    }

    private void command(String... words) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        int config = all.indexOf("gateway.yml");
        if (config >= 0) {
            all.set(config, home.resolve("gateway.yml").toString());
        } else {
            all.addAll(List.of("--admin", "127.0.0.1:" + gateway().gateway().adminPort()));
        }
        int before = entries();
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        Surroundings surroundings =
                new Surroundings(new DataPlaneEngine(), name -> null, printer, printer, hook -> {}, Signals.NONE);
        int code = LychgateCommand.execute(surroundings, all.toArray(String[]::new));
        assertThat(code).as(String.join(" ", words) + ": " + output).isZero();
        outputs.add(output.toString().strip());
        if (!words[0].equals("history")) {
            eventually(Duration.ofSeconds(30), () -> assertThat(entries()).isGreaterThan(before));
        }
    }
}
