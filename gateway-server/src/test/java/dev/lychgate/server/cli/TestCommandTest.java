package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code lychgate test}: output and exit code. */
@Tag("slow")
class TestCommandTest {
    private final Terminal terminal = new Terminal();
    private Path dir = Path.of("");

    @BeforeEach
    void writeAFilter(@TempDir Path fresh) throws IOException {
        dir = fresh;
        write("inbound/Closed.groovy", "filter { exchange -> exchange.respond(403, 'closed') }");
    }

    private void write(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void succeedsIfAllTestsPass() throws IOException {
        write("inbound/ClosedTest.groovy", "test('shut') { assert get('/').through(filter).status == 403 }");

        assertThat(terminal.run("test", dir.toString())).isZero();

        assertThat(terminal.out().lines())
                .containsExactly("passed  inbound/ClosedTest.groovy (1)", "1 file, 1 test, 0 failed");
    }

    @Test
    void printsTheAssertionThatFailed() throws IOException {
        write("inbound/ClosedTest.groovy", "test('open') {\n assert get('/').through(filter).status == 200 }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains(
                        "FAILED  inbound/ClosedTest.groovy (1)\n  open\n    assert get('/').through(filter).status == 200")
                .contains("    at ClosedTest.groovy:2\n")
                .endsWith("1 file, 1 test, 1 failed\n");
    }

    @Test
    void reportsThePlaceOfACompilationError() throws IOException {
        write("inbound/Broken.groovy", "filter { exchange ->\n exchange.respnd(403) }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(78);

        assertThat(terminal.err()).startsWith(dir.resolve("inbound/Broken.groovy") + ":2:2: ");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void aTestThatDoesNotCompileDoesNotAffectOthers() throws IOException {
        write("inbound/BrokenTest.groovy", "test('x' {");
        write("inbound/ClosedTest.groovy", "test('x') { assert get('/').through(filter).text == 'closed' }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains("FAILED  inbound/BrokenTest.groovy (1)")
                .contains("passed  inbound/ClosedTest.groovy (1)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.exit(0)",
                "Runtime.runtime.halt(0)",
                "System.&exit.call(0)",
                "def system = System; system.exit(0)",
                "new Thread({ System.exit(0) }).start()"
            })
    void refusesATestThatWouldEndTheProcess(String end) throws IOException {
        write("inbound/ClosedTest.groovy", "test('a') {\n" + end + " }");
        write("inbound/OtherTest.groovy", "test('b') { assert filters['Closed'] }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains("FAILED  inbound/ClosedTest.groovy (1)")
                .contains("must not end the JVM")
                .containsPattern("ClosedTest.groovy: ?2")
                .contains("passed  inbound/OtherTest.groovy (1)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thread.sleep(100000000L)", "while (true) { try { Thread.sleep(10) } catch (e) { } }"})
    void abandonsATestThatHangsAndRunsTheOthers(String hang) throws IOException {
        write("inbound/ClosedTest.groovy", """
                def shared = get('/').through(filter)
                test('before') { assert shared.status == 403 }
                test('hangs') {
                  %s
                }
                test('behind') { assert shared.status == 403 }
                """.formatted(hang));
        write("inbound/OtherTest.groovy", "test('other') { assert filters['Closed'] }");

        assertThat(terminal.run("test", "--timeout", "5s", dir.toString())).isEqualTo(1);

        assertThat(terminal.out().lines())
                .containsExactly(
                        "FAILED  inbound/ClosedTest.groovy (3)",
                        "  hangs",
                        "    exceeded 5s and was abandoned",
                        "    at ClosedTest.groovy:4",
                        "passed  inbound/OtherTest.groovy (1)",
                        "2 files, 4 tests, 1 failed");
    }

    @Test
    void reportsTheLineOfTheFilterInWhichATestHangs() throws IOException {
        write(
                "inbound/Hangs.groovy",
                "filter {\n  while (System.getProperty('lychgate.test.spins') != null) {\n    Thread.onSpinWait()\n  }\n}");
        write("inbound/HangsTest.groovy", "test('a') {\n\n get('/').through(filter) }");

        System.setProperty("lychgate.test.spins", "until it is abandoned");
        try {
            assertThat(terminal.run("test", "--timeout", "5s", dir.toString())).isEqualTo(1);
        } finally {
            // It ignores interrupts, and would occupy a processor during the later tests.
            System.clearProperty("lychgate.test.spins");
        }

        assertThat(terminal.out()).containsPattern("    at Hangs.groovy:[23]\n    at HangsTest.groovy:3\n");
    }

    @Test
    void abandonsAScriptThatHangsOutsideOfItsTests() throws IOException {
        write("inbound/ClosedTest.groovy", "test('a') { }\nThread.sleep(100000000L)\ntest('b') { }");

        assertThat(terminal.run("test", "--timeout", "5s", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains("  outside of the tests\n    exceeded 5s")
                .contains("    at ClosedTest.groovy:2\n");
    }

    @Test
    void aFileWithoutTestsFails() throws IOException {
        write("inbound/ClosedTest.groovy", "assert get('/').through(filter).status == 403");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains("FAILED  inbound/ClosedTest.groovy (1)")
                .contains("the file has no test");
    }

    @Test
    void aDirectoryWithoutTestsFailsWithAMessage() {
        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.err()).isEqualTo("lychgate: test: no tests in " + dir + ": no file *Test.groovy\n");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void findsTestsThroughLinksLikeFilters() throws IOException {
        write("..v1/outbound/Stamp.groovy", "filter { it.response.headers['x-a'] = '1' }");
        write(
                "..v1/outbound/StampTest.groovy",
                "test('a') { assert get('/').origin(200).through(filter).status == 200 }");
        Files.createSymbolicLink(dir.resolve("..data"), Path.of("..v1"));
        Files.createSymbolicLink(dir.resolve("outbound"), Path.of("..data/outbound"));

        assertThat(terminal.run("test", dir.toString())).isZero();

        assertThat(terminal.out()).contains("passed  outbound/StampTest.groovy (1)\n1 file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "r.status == 200",
                "r.status in [200, 201]",
                "!r.aborted",
                "r && r.status != 403",
                "r.text ==~ 'x'"
            })
    void refusesAnUnusedComparison(String lost) throws IOException {
        write("inbound/ClosedTest.groovy", "test('a') {\n def r = get('/').through(filter)\n " + lost + "\n}");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains("ClosedTest.groovy: 3: the result of this comparison is unused: assert is missing");
    }

    @Test
    void acceptsComparisonsThatAreUsed() throws IOException {
        write("inbound/ClosedTest.groovy", """
                test('a') {
                    def same = 1 == 1
                    assert [1, 2].any { it == 2 } && same
                    if (same) { assert get('/').through(filter).with { status == 403 } }
                }
                """);

        assertThat(terminal.run("test", dir.toString())).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1s", "soon"})
    void refusesAMalformedTimeout(String timeout) {
        assertThat(terminal.run("test", "--timeout=" + timeout, dir.toString())).isEqualTo(64);

        assertThat(terminal.err()).contains("--timeout").contains("'" + timeout + "' (expected: ");
    }

    @Test
    void reportsAMissingDirectory() {
        assertThat(terminal.run("test", dir.resolve("none").toString())).isEqualTo(64);

        assertThat(terminal.err())
                .isEqualTo("lychgate: " + dir.resolve("none") + " is not a directory (try: lychgate test --help)\n");
    }

    @Test
    void printsTheReportAsJson() throws IOException {
        write(
                "inbound/ClosedTest.groovy",
                "test('shut') { assert get('/').through(filter).status == 403 }\ntest('open') { assert false }");

        assertThat(terminal.run("test", "--json", dir.toString())).isEqualTo(1);

        JsonValue report = JsonValue.of(terminal.out());
        assertThat(report.number("tests")).isEqualTo(2);
        assertThat(report.number("failures")).isEqualTo(1);
        assertThat(report.list("files")).singleElement().satisfies(file -> {
            assertThat(file.text("file")).isEqualTo("inbound/ClosedTest.groovy");
            assertThat(file.list("outcomes"))
                    .extracting(outcome -> outcome.text("test") + " " + outcome.is("passed"))
                    .containsExactly("shut true", "open false");
        });
    }

    private void writeALibraryFor(String test) throws Exception {
        Path jars = Files.createDirectories(dir.resolveSibling("jars of " + dir.getFileName()));
        ExtensionJars.library()
                .compiled(Map.of(
                        "acme.Label",
                        "package acme; public class Label { public static int status() { return 404; } }"))
                .write(jars.resolve("stamp.jar"));
        write("inbound/Closed.groovy", "filter { it.respond(acme.Label.status()) }");
        write("inbound/ClosedTest.groovy", test);
        Files.writeString(dir.resolveSibling(dir.getFileName() + ".yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: "%s", libraries: "%s" }
                routes: [{ id: all, respond: { status: 204 } }]
                """.formatted(dir, jars));
    }

    @Test
    void usesTheLibrariesOfTheOption() throws Exception {
        writeALibraryFor("test('stamp') { assert get('/').through(filter).status == acme.Label.status() }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(78);
        assertThat(terminal.err()).contains("acme");
        String jars = dir.resolveSibling("jars of " + dir.getFileName()).toString();
        assertThat(terminal.run("test", "--libraries", jars, dir.toString())).isZero();
    }

    @Test
    void usesTheLibrariesOfTheConfigurationThatNamesTheDirectory() throws Exception {
        writeALibraryFor("test('stamp') { assert get('/').through(filter).status == 404 }");
        String config = dir.resolveSibling(dir.getFileName() + ".yml").toString();

        assertThat(terminal.run("test", "--config", config, dir.toString())).isZero();
        Path copy = dir.resolveSibling("copy of " + dir.getFileName());
        Files.createDirectories(copy.resolve("inbound"));
        Files.copy(dir.resolve("inbound/Closed.groovy"), copy.resolve("inbound/Closed.groovy"));
        assertThat(terminal.run("test", "--config", config, copy.toString())).isEqualTo(78);
    }

    @Test
    void reportsTheFaultsOfAGivenConfiguration() throws Exception {
        String config =
                Files.writeString(dir.resolve("bad.yml"), "listener: []").toString();

        assertThat(terminal.run("test", "--config", config, dir.toString())).isEqualTo(78);
        assertThat(terminal.err()).contains("bad.yml:1:");
    }

    @Test
    void runsOnlyTheTestsOfANamedFilter() throws IOException {
        write("inbound/ClosedTest.groovy", "test('shut') { assert get('/').through(filter).status == 403 }");
        write("inbound/OtherTest.groovy", "test('other') { assert false }");

        assertThat(terminal.run("test", "--filter", "Closed", dir.toString())).isZero();
        assertThat(terminal.out()).endsWith("1 file, 1 test, 0 failed\n");
    }

    @Test
    void refusesTheNameOfAFilterWithoutTests() throws IOException {
        write("inbound/ClosedTest.groovy", "test('shut') { assert get('/').through(filter).status == 403 }");

        assertThat(terminal.run("test", "--filter", "Close", dir.toString())).isNotZero();
        assertThat(terminal.err()).contains("no file CloseTest.groovy");
    }

    @Test
    void runsTestsAgainAfterAChangeUntilItIsInterrupted() throws Exception {
        write("inbound/ClosedTest.groovy", "test('shut') { assert get('/').through(filter).status == 403 }");
        Thread watching = new Thread(() -> terminal.run("test", "--watch", dir.toString()));
        watching.start();
        try {
            await("1 file, 1 test, 0 failed");
            write("inbound/Closed.groovy", "filter { it.respnd(404) }");
            await("respnd");
            write("inbound/Closed.groovy", "filter { it.respond(404) }");
            await("1 file, 1 test, 1 failed");
        } finally {
            watching.interrupt();
            watching.join();
        }
    }

    private void await(String text) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!(terminal.out() + terminal.err()).contains(text)) {
            assertThat(System.nanoTime()).as(text).isLessThan(end);
            Thread.sleep(50);
        }
    }
}
