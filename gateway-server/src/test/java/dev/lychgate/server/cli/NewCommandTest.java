package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lychgate new filter}: the files that it writes, and existing files, which it does not change. */
@Tag("slow")
class NewCommandTest {
    private final Terminal terminal = new Terminal();
    private Path dir = Path.of("");

    @BeforeEach
    void choose(@TempDir Path fresh) {
        dir = fresh.resolve("filters");
    }

    private int write(String... more) {
        return terminal.run(Stream.concat(Stream.of("new", "filter"), List.of(more).stream())
                .toArray(String[]::new));
    }

    @Test
    void writesFiltersOfAllPhasesAndFormsThatPassTheirTests() throws IOException {
        for (String phase : List.of("inbound", "endpoint", "outbound", "error")) {
            for (String form : List.of("filter", "async", "blocking", "class")) {
                String name = "My" + form.substring(0, 1).toUpperCase(Locale.ROOT) + form.substring(1) + phase;
                assertThat(write(name, "--phase", phase, "--form", form, "--directory", dir.toString()))
                        .as(terminal.err())
                        .isZero();
                assertThat(Files.readString(dir.resolve(phase).resolve(name + ".groovy")))
                        .contains(
                                "@Setting(about = 'the ",
                                form.equals("class") ? "class " + name : form + " { exchange ->");
            }
        }
        Terminal tests = new Terminal();

        assertThat(tests.run("test", dir.toString()))
                .as(tests.out() + tests.err())
                .isZero();
        assertThat(tests.out()).endsWith("16 files, 32 tests, 0 failed\n");
    }

    @ParameterizedTest
    @CsvSource({"filter, applies {", "class, boolean applies("})
    void aNewEndpointFilterRespondsToOnePathOnly(String form, String applies) {
        assertThat(write("ApiKey", "--phase", "endpoint", "--form", form, "--directory", dir.toString()))
                .isZero();

        assertThat(dir.resolve("endpoint/ApiKey.groovy"))
                .content()
                .contains(
                        applies,
                        "exchange.request.path == '/api-key'"
                                .substring(form.equals("class") ? 0 : "exchange.".length()));
    }

    @Test
    void printsTheFilesAndUsesInboundAndTheFormFilterByDefault() {
        assertThat(write("ApiKey", "--directory", dir.toString())).isZero();

        assertThat(terminal.out().lines())
                .containsExactly(
                        dir.resolve("inbound/ApiKey.groovy").toString(),
                        dir.resolve("inbound/ApiKeyTest.groovy").toString());
        assertThat(dir.resolve("inbound/ApiKey.groovy"))
                .content()
                .contains("filter { exchange ->", "headers['x-api-key']");
    }

    @Test
    void printsTheFilesAsJson() {
        assertThat(write("A", "--phase", "error", "--json", "--directory", dir.toString()))
                .isZero();

        assertThat(terminal.out())
                .isEqualToIgnoringNewLines(
                        "{\"filter\":\"%1$s/error/A.groovy\",\"test\":\"%1$s/error/ATest.groovy\"}".formatted(dir));
    }

    @Test
    void isInTheHelpAndCompletesPhasesAndForms() {
        assertThat(new Terminal().run("help", "new")).isZero();
        Terminal completion = new Terminal();
        assertThat(completion.run("completion")).isZero();

        assertThat(completion.out())
                .contains(
                        "\"inbound\" \"endpoint\" \"outbound\" \"error\"",
                        "\"filter\" \"async\" \"blocking\" \"class\"");
    }

    @Test
    void usesTheDirectoryOfTheConfiguration() throws IOException {
        Path config = Files.writeString(dir.resolveSibling("gateway.yml"), """
                listeners:
                  - { name: main, address: "127.0.0.1:0" }
                filters: { directory: filters }
                routes:
                  - { id: all, upstream: a }
                upstreams:
                  a: { endpoints: ["http://127.0.0.1:9"] }
                """);

        assertThat(write("ApiKey", "--config", config.toString()))
                .as(terminal.err())
                .isZero();
        assertThat(dir.resolve("inbound/ApiKeyTest.groovy")).exists();
    }

    @ParameterizedTest
    @CsvSource({"ApiKey.groovy", "ApiKeyTest.groovy"})
    void overwritesNoFile(String existing) throws IOException {
        Files.createDirectories(dir.resolve("inbound"));
        Files.writeString(dir.resolve("inbound").resolve(existing), "mine");

        assertThat(write("ApiKey", "--directory", dir.toString())).isEqualTo(1);
        assertThat(terminal.err())
                .isEqualTo("lychgate: new: " + dir.resolve("inbound").resolve(existing) + " already exists\n");
        assertThat(dir.resolve("inbound")).isDirectoryContaining(file -> file.endsWith(existing));
        assertThat(dir.resolve("inbound").resolve(existing)).content().isEqualTo("mine");
        try (var files = Files.list(dir.resolve("inbound"))) {
            assertThat(files).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "api-key, filter, api-key",
        "../ApiKey, filter, ../ApiKey",
        "ApiTest, filter, and do not end with Test",
        "apiKey, class, a name that begins with a capital letter"
    })
    void refusesNamesThatAreNoNamesOfFilters(String name, String form, String message) {
        assertThat(write(name, "--form", form, "--directory", dir.toString())).isEqualTo(64);
        assertThat(terminal.err()).contains(message);
        assertThat(dir).doesNotExist();
    }

    @Test
    void refusesUnknownPhasesAndForms() {
        assertThat(write("A", "--phase", "middle", "--directory", dir.toString()))
                .isEqualTo(64);
        assertThat(terminal.err()).contains("inbound", "endpoint", "outbound", "error", "'middle'");
        assertThat(write("A", "--form", "sync", "--directory", dir.toString())).isEqualTo(64);
        assertThat(terminal.err()).contains("filter", "async", "blocking", "class", "'sync'");
    }
}
