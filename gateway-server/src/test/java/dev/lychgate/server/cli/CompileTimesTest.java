package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.terminal.JsonValue;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate check} reports the time of the compilation of filters. */
class CompileTimesTest {
    private final StringWriter out = new StringWriter();
    private Path dir = Path.of("");

    @BeforeEach
    void writeAConfiguration(@TempDir Path fresh) throws Exception {
        dir = fresh;
        Files.writeString(dir.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: all, respond: { status: 204 } }]
                """);
        Files.createDirectories(dir.resolve("filters/inbound"));
    }

    private int check(String... more) {
        var surroundings = new Surroundings(
                new DataPlaneEngine(),
                name -> null,
                new PrintWriter(out),
                new PrintWriter(new StringWriter()),
                hook -> {},
                Signals.NONE);
        String[] all = new String[more.length + 3];
        all[0] = "check";
        all[1] = "--config";
        all[2] = dir.resolve("gateway.yml").toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return LychgateCommand.execute(surroundings, all);
    }

    private void write(int filters) throws Exception {
        for (int i = 0; i < filters; i++) {
            Files.writeString(dir.resolve("filters/inbound/Filter" + i + ".groovy"), "filter { }");
        }
    }

    @Test
    void printsTheTimeAndTheSlowestFiles() throws Exception {
        write(5);

        assertThat(check()).isZero();
        assertThat(out.toString())
                .matches("ok\\R"
                        + "filters: compiled 5 files in \\d+ms; slowest: inbound/Filter\\d.groovy \\d+ms"
                        + "(, inbound/Filter\\d.groovy \\d+ms){2}\\R");
    }

    @Test
    void printsTheTimesAsJson() throws Exception {
        write(2);

        assertThat(check("--json")).isZero();
        JsonValue compilation = JsonValue.of(out.toString()).get("compilation");
        assertThat(compilation.number("files")).isEqualTo(2);
        assertThat(compilation.number("millis")).isPositive();
        assertThat(compilation.list("slowest"))
                .extracting(file -> file.text("file"))
                .containsExactlyInAnyOrder("inbound/Filter0.groovy", "inbound/Filter1.groovy");
    }

    @Test
    void printsNoTimeWithoutFilters() {
        assertThat(check()).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("ok");
    }
}
