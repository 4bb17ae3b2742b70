package dev.lychgate.server.cli;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.Main;
import dev.lychgate.server.engine.DataPlaneEngine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every key that accepts a regular expression, with an expression that would exhaust the heap. */
@Tag("slow")
class BoundedExpressionsTest {
    private static final String NESTED = "(((((a{0,100}){0,100}){0,100}){0,100}){0,100})";

    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                match: { path: 'regex:/NESTED' }                                         | routes[0].match.path
                match: { headers: { x-a: 'regex:NESTED' } }                              | routes[0].match.headers.x-a
                match: { query: { a: 'regex:NESTED' } }                                  | routes[0].match.query.a
                filters: [{ rewrite-path: { regex: 'NESTED', replacement: 'b' } }]       | regex
                """)
    void refusesALargeExpressionOfARouteWithItsPlace(String setting, String key) throws Exception {
        Path file = file("""
                routes:
                  - id: all
                    %s
                    upstream: o
                """.formatted(setting.replace("NESTED", NESTED)));

        assertThat(check(file))
                .contains(key)
                .contains("at most 2000 instructions")
                .startsWith(file + ":4:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                filters: { global: [{ rewrite-path: { regex: 'NESTED', replacement: 'b' } }] }    | regex
                filters: { trace: { match: { path: 'regex:NESTED' } } }                           | filters.trace.match.path
                """)
    void refusesALargeExpressionOutsideRoutesWithItsPlace(String setting, String key) throws Exception {
        Path file = file(setting.replace("NESTED", NESTED) + "\nroutes: [{ id: all, upstream: o }]\n");

        assertThat(check(file))
                .contains(key)
                .contains("at most 2000 instructions")
                .startsWith(file + ":2:");
    }

    @Test
    void refusesManyExpressionsThatAreTooLargeTogether() throws Exception {
        StringBuilder routes = new StringBuilder("routes:\n");
        for (int i = 0; i < 500; i++) {
            routes.append("  - { id: r")
                    .append(i)
                    .append(", match: { path: 'regex:/")
                    .append(i)
                    .append("[a-z]{900}' }, upstream: o }\n");
        }

        assertThat(check(file(routes.toString())))
                .contains("at most 200000 instructions in the expressions of all routes");
    }

    @Test
    void refusesManyExpressionsOfFiltersThatAreTooLargeTogether() throws Exception {
        StringBuilder routes = new StringBuilder("routes:\n");
        for (int i = 0; i < 300; i++) {
            routes.append("  - { id: r")
                    .append(i)
                    .append(", match: { path: /")
                    .append(i)
                    .append(" }, upstream: o, filters: [{ rewrite-path: { regex: '/")
                    .append(i)
                    .append("[a-z]{900}', replacement: /b } }] }\n");
        }

        assertThat(check(file(routes.toString())))
                .contains(".filters[0].rewrite-path.regex")
                .contains("at most 200000 instructions in the expressions of all filters");
    }

    /** The filter has a script that never ends; no expression would take that long. */
    @Test
    void checkEndsOnSigterm() throws Exception {
        Path begun = directory.resolve("begun");
        Path filters = Files.createDirectories(directory.resolve("filters"));
        Files.writeString(
                Files.createDirectory(filters.resolve("inbound")).resolve("Endless.groovy"), """
                java.nio.file.Files.createFile(java.nio.file.Path.of('%s'))
                while (true) { }
                filter { }
                """.formatted(begun));
        Path file = file("""
                filters: { directory: "%s" }
                routes: [{ id: all, upstream: o, filters: [Endless] }]
                """.formatted(filters));
        Process check = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "check",
                        "--config",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile())
                .start();
        try {
            eventually(Duration.ofSeconds(60), () -> assertThat(begun).exists());
            check.destroy();

            assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(check.exitValue()).isEqualTo(143);
        } finally {
            check.destroyForcibly();
        }
    }

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                """ + text + """
                upstreams: { o: { endpoints: ["http://127.0.0.1:9"] } }
                """);
    }

    /** @return what {@code check} prints on standard error when it refuses {@code file} */
    private static String check(Path file) {
        StringWriter err = new StringWriter();
        var surroundings = new Surroundings(
                new DataPlaneEngine(),
                name -> null,
                new PrintWriter(new StringWriter()),
                new PrintWriter(err),
                hook -> {},
                Signals.NONE);
        assertThat(LychgateCommand.execute(surroundings, "check", "--config", file.toString()))
                .isNotZero();
        return err.toString();
    }
}
