package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk-through of docs/record-and-replay.md: configuration, filter, and the output of both replays. */
@Tag("slow")
class DocumentedRecordAndReplayTest {
    private static final Path PAGE = Path.of("../docs/record-and-replay.md");
    private static final Pattern GROOVY = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OUTPUT = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");

    @TempDir
    Path home = Path.of("");

    private record Ended(int code, String out) {}

    private Ended replay(String... more) {
        StringWriter out = new StringWriter();
        Surroundings surroundings = new Surroundings(
                new DataPlaneEngine(),
                name -> null,
                new PrintWriter(out),
                new PrintWriter(out),
                thread -> {},
                Signals.NONE);
        String[] all = new String[more.length + 4];
        all[0] = "replay";
        all[1] = home.resolve("traffic.rec").toString();
        all[2] = "--config";
        all[3] = home.resolve("gateway.yml").toString();
        System.arraycopy(more, 0, all, 4, more.length);
        return new Ended(LychgateCommand.execute(surroundings, all), out.toString());
    }

    /** Returns the documented lines without ids, times and random numbers, which differ each time. */
    private static List<String> plain(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("$ "))
                .map(line ->
                        line.replaceAll("^[0-9a-f]{24}  [0-9T:.-]+Z", "ID TIME").replaceAll("-> \\d+$", "-> DRAW"))
                .toList();
    }

    @Test
    void theWalkThroughHasTheOutputOfThePage() throws Exception {
        String page = Files.readString(PAGE);
        Matcher filter = GROOVY.matcher(page);
        assertThat(filter.find()).isTrue();
        Path file = home.resolve("filters").resolve(filter.group(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, filter.group(2));
        List<String> outputs = OUTPUT.matcher(page)
                .results()
                .filter(block -> block.group(1).isEmpty())
                .map(block -> block.group(2))
                .toList();
        Files.writeString(
                home.resolve("gateway.yml"),
                Snippets.onFreePorts(Snippets.yaml("record-and-replay.md").get(0)) + "watch: off\n");
        FileGateway<Lychgate> running = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), running.gateway().port("main")))) {
            assertThat(client.get("/orders/13").status()).isEqualTo(500);
            eventually(() -> assertThat(hasExchange()).isTrue());
        } finally {
            running.gateway().close();
            running.close();
        }

        Ended same = replay();
        assertThat(plain(same.out())).isEqualTo(plain(outputs.get(0)));
        assertThat(same.code()).isZero();

        Files.writeString(file, filter.group(2).replace("/orders/13", "/orders/14"));
        Ended different = replay("--diff");
        assertThat(plain(different.out())).containsAll(plain(outputs.get(1)));
        assertThat(different.code()).isEqualTo(1);
    }

    private boolean hasExchange() throws Exception {
        try (RecordingReader reader = RecordingReader.open(home.resolve("traffic.rec"), null)) {
            return reader.next() != null;
        }
    }
}
