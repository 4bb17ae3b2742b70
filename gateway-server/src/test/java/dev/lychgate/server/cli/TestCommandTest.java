package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate test}: what it prints, and what it ends with. */
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
    void passesWhatPasses() throws IOException {
        write("inbound/ClosedTest.groovy", "test('shut') { assert get('/').through(filter).status == 403 }");

        assertThat(terminal.run("test", dir.toString())).isZero();

        assertThat(terminal.out().lines())
                .containsExactly("passed  inbound/ClosedTest.groovy (1)", "1 files, 1 tests, 0 failed");
    }

    @Test
    void printsTheAssertionThatFailed() throws IOException {
        write("inbound/ClosedTest.groovy", "test('open') {\n assert get('/').through(filter).status == 200 }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains(
                        "FAILED  inbound/ClosedTest.groovy (1)\n  open\n    assert get('/').through(filter).status == 200")
                .contains("    at ClosedTest.groovy:2\n")
                .endsWith("1 files, 1 tests, 1 failed\n");
    }

    @Test
    void namesThePlaceOfWhatDoesNotCompile() throws IOException {
        write("inbound/Broken.groovy", "filter { exchange ->\n exchange.respnd(403) }");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.err()).startsWith(dir.resolve("inbound/Broken.groovy") + ":2:2: ");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void aTestThatDoesNotCompileFailsAloneOfAll() throws IOException {
        write("inbound/BrokenTest.groovy", "test('x' {");
        write("inbound/ClosedTest.groovy", "assert get('/').through(filter).text == 'closed'");

        assertThat(terminal.run("test", dir.toString())).isEqualTo(1);

        assertThat(terminal.out())
                .contains("FAILED  inbound/BrokenTest.groovy (1)")
                .contains("passed  inbound/ClosedTest.groovy (0)");
    }

    @Test
    void saysThatThereIsNoDirectory() {
        assertThat(terminal.run("test", dir.resolve("none").toString())).isEqualTo(1);

        assertThat(terminal.err()).isEqualTo("lychgate: test: " + dir.resolve("none") + " is no directory\n");
    }
}
