package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.recording.RecordingWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lychgate record} and {@code lychgate replay}: output and exit codes. */
@Tag("slow")
class RecordCommandTest {
    private static final String HAR = """
            {"log": {"version": "1.2", "creator": {"name": "test"}, "entries": [
              {"startedDateTime": "2026-11-26T16:00:00.000+01:00", "time": 12.5,
               "request": {"method": "GET", "url": "https://user@shop.example/orders?a=1&token=pl4nted-s3cret", "httpVersion": "h2",
                 "headers": [{"name": ":authority", "value": "shop.example"}, {"name": "X-Tenant", "value": "t1"},
                   {"name": "Authorization", "value": "Bearer pl4nted-s3cret"}]},
               "response": {"status": 200, "headers": [{"name": "content-encoding", "value": "br"},
                   {"name": "content-type", "value": "application/json"}],
                 "content": {"size": 7, "text": "{\\"n\\":1}"}}},
              {"startedDateTime": "2026-11-26T16:00:01Z", "time": -1,
               "request": {"method": "GET", "url": "https://shop.example/blocked", "headers": []},
               "response": {"status": 0, "headers": [], "content": {}}}
            ]}}
            """;

    private final Terminal terminal = new Terminal();

    @TempDir
    Path dir = Path.of("");

    private String path(String name) {
        return dir.resolve(name).toString();
    }

    private void write(String name, String text) throws IOException {
        Path file = dir.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void gateway(String filter) throws IOException {
        write("filters/inbound/Tenant.groovy", filter);
        write("gateway.yml", """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: all, match: { path: "/**" }, upstream: shop }]
                upstreams: { shop: { endpoints: ["https://shop.internal"] } }
                """);
    }

    private void importHar() throws IOException {
        write("browser.har", HAR);
        assertThat(terminal.run("record", "import", path("browser.har"), path("traffic.rec")))
                .as(terminal.err())
                .isZero();
    }

    @Test
    void importsAnArchiveWithoutItsSecrets() throws IOException {
        importHar();

        assertThat(terminal.run("record", "show", path("traffic.rec"))).isZero();

        assertThat(terminal.out())
                .startsWith("1 exchange imported\n{\"id\":\"har-1\"")
                .contains("\"host\":\"shop.example\"")
                .contains("[\"x-tenant\",\"t1\"]")
                .contains("a=1&token=***")
                .doesNotContain("pl4nted-s3cret")
                .doesNotContain("content-encoding");
    }

    @Test
    void replaysAnImportedExchangeThroughFilters() throws IOException {
        importHar();
        gateway("filter { it.request.headers['x-seen'] = it.request.headers['x-tenant'] + it.request.path }");

        assertThat(terminal.run("replay", path("traffic.rec"), "--config", path("gateway.yml")))
                .as(terminal.err())
                .isZero();

        assertThat(terminal.out())
                .contains("har-1  2026-11-26T15:00:00Z  GET /orders (generation 0)")
                .contains("  global Tenant: proceed\n      x-seen: none -> t1/orders\n")
                .contains("  status 200, route all, upstream shop\n")
                .contains("note: imported from an archive, which contains no results")
                .endsWith("1 exchange replayed, 0 different\n");
    }

    @Test
    void refusesAnUnusableConfiguration() throws IOException {
        importHar();
        gateway("filter { it.respnd(403) }");

        assertThat(terminal.run("replay", path("traffic.rec"), "--config", path("gateway.yml")))
                .isEqualTo(78);

        assertThat(terminal.err()).contains("Tenant.groovy:1:");
    }

    @Test
    void reportsAnIncompleteEndAndAMissingExchange() throws IOException {
        importHar();
        importHar();
        byte[] whole = Files.readAllBytes(dir.resolve("traffic.rec"));
        Files.write(dir.resolve("traffic.rec"), Arrays.copyOf(whole, whole.length - 3));
        gateway("filter { }");

        assertThat(terminal.run("record", "show", path("traffic.rec"))).isZero();
        assertThat(terminal.err()).isEqualTo("warning: the end of the recording is missing\n");

        assertThat(terminal.run("replay", path("traffic.rec"), "--id", "other", "--config", path("gateway.yml")))
                .isEqualTo(2);
        assertThat(terminal.err()).endsWith("lychgate: the recording has no exchange with the id other\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"log\":{\"entries\":7}}", "{\"log\":{\"entries\":[{}]}}", "garbage"})
    void refusesAnArchiveOfAnotherShape(String text) throws IOException {
        write("browser.har", text);

        int code = terminal.run("record", "import", path("browser.har"), path("traffic.rec"));

        assertThat(code).isIn(0, 2);
        assertThat(terminal.err().lines()).hasSizeLessThanOrEqualTo(1);
        assertThat(code == 2).isEqualTo(terminal.err().startsWith("lychgate: " + path("browser.har")));
    }

    @Test
    void reportsFilesThatAreNoRecordings() throws IOException {
        write("notes.txt", "notes that are longer than the header of a recording");
        gateway("filter { }");

        assertThat(terminal.run("record", "show", path("notes.txt"))).isEqualTo(2);
        assertThat(terminal.run("replay", path("notes.txt"), "--config", path("gateway.yml")))
                .isEqualTo(2);

        String line = "lychgate: " + path("notes.txt") + ": not a recording of Lychgate\n";
        assertThat(terminal.err()).isEqualTo(line + line);
    }

    /** A recording may come from an attacker, who writes control characters for the terminal into it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "path":"/orders" | "path":"/%2e%2e/CONTROL"
            ["x-tenant","t1"] | ["x-CONTROL","t1"]
            ["x-tenant","t1"] | ["x-tenant","t1CONTROL"]
            "client":"127.0.0.1" | "client":"CONTROL"
            "id":"har-1" | "id":"CONTROL"
            "method":"GET" | "method":"CONTROL"
            "method":"GET" | "CONTROL":1,"method":"GET","method":2
            "time": | "time":"CONTROL","took":
            """)
    void escapesTextsOfARecordingOnTheTerminal(String from, String to) throws IOException {
        importHar();
        gateway("filter { }");
        String line;
        try (RecordingReader reader = RecordingReader.open(dir.resolve("traffic.rec"), null)) {
            line = new String(Objects.requireNonNull(reader.nextLine()), StandardCharsets.UTF_8);
        }
        assertThat(line).contains(from);
        String attack = line.replace(from, to.replace("CONTROL", "\\u001b]0;owned\\u0007\\u009b2J\\n"));
        try (RecordingWriter writer = RecordingWriter.open(dir.resolve("attack.rec"), null)) {
            writer.add((attack + "\n").getBytes(StandardCharsets.UTF_8));
        }

        terminal.run("replay", path("attack.rec"), "--config", path("gateway.yml"));
        terminal.run("record", "show", path("attack.rec"));

        assertThat(terminal.out() + terminal.err()).matches("[\\x20-\\x7e\\n]*").doesNotContain("unexpected failure");
        assertThat(terminal.err()).isNotEmpty();
    }

    @Test
    void reportsFilesThatCannotBeReadOrWrittenWithoutTypesOfJava() throws IOException {
        write("browser.har", HAR);
        gateway("filter { }");

        assertThat(terminal.run("replay", path("no.rec"), "--config", path("gateway.yml")))
                .isEqualTo(2);
        assertThat(terminal.run("record", "show", path("no.rec"))).isEqualTo(2);
        assertThat(terminal.run("record", "import", path("browser.har"), dir.toString()))
                .isEqualTo(2);

        assertThat(terminal.err()).isEqualTo("""
                lychgate: %1$s: does not exist
                lychgate: %1$s: does not exist
                lychgate: %2$s: not a regular file (expected: a regular file, or no file)
                """.formatted(path("no.rec"), dir));
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete", "import"})
    void rejectsUnknownActions(String action) {
        assertThat(terminal.run("record", action, path("a.rec"))).isEqualTo(64);
    }
}
