package dev.lychgate.filters.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filters.groovy.FilterFaultsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of a directory runs the tests again that it concerns. */
class RepeatedTestsTest {
    private static final String TEST = "test('closed') { assert get('/').through(filter).status == 403 }";

    private Path directory = Path.of("");

    @BeforeEach
    void writeTwoFilters(@TempDir Path fresh) throws IOException {
        directory = fresh;
        write("lib/Refusal.groovy", "class Refusal { static int status() { 403 } }");
        write("inbound/A.groovy", "filter { it.respond(Refusal.status()) }");
        write("inbound/ATest.groovy", TEST);
        write("inbound/B.groovy", "filter { it.respond(403) }");
        write("inbound/BTest.groovy", TEST);
        write("inbound/BothTest.groovy", "test('all') { assert get('/').through(filters['B']).status == 403 }");
    }

    private void write(String path, String text) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private RepeatedTests tests(String... filters) {
        return new RepeatedTests(directory, null, Set.of(filters), Duration.ofSeconds(30));
    }

    private static List<String> run(RepeatedTests tests) throws Exception {
        TestReport report = tests.run();
        return report.files().stream()
                .map(file -> (file.isPassed() ? "" : "failed ") + file.path())
                .toList();
    }

    @Test
    void runsAllTestsFirstAndNoneWithoutAChange() throws Exception {
        RepeatedTests tests = tests();

        assertThat(run(tests))
                .containsExactly("inbound/ATest.groovy", "inbound/BTest.groovy", "inbound/BothTest.groovy");
        assertThat(run(tests)).isEmpty();
    }

    @Test
    void runsTheTestsBesideAChangedFilterAndThoseThatNameIt() throws Exception {
        RepeatedTests tests = tests();
        tests.run();
        write("inbound/B.groovy", "filter { it.respond(404) }");

        assertThat(run(tests)).containsExactly("failed inbound/BTest.groovy", "failed inbound/BothTest.groovy");
    }

    @Test
    void runsTheTestsOfFiltersThatUseAChangedClass() throws Exception {
        RepeatedTests tests = tests();
        tests.run();
        write("lib/Refusal.groovy", "class Refusal { static int status() { 405 } }");

        assertThat(run(tests)).containsExactly("failed inbound/ATest.groovy");
    }

    @Test
    void runsAChangedTestAlone() throws Exception {
        RepeatedTests tests = tests();
        tests.run();
        write("inbound/ATest.groovy", TEST + "\n");

        assertThat(run(tests)).containsExactly("inbound/ATest.groovy");
    }

    @Test
    void runsTheTestsOfAChangeThatWasRefusedOnceItIsCorrected() throws Exception {
        RepeatedTests tests = tests();
        tests.run();
        write("inbound/A.groovy", "filter { it.respnd(403) }");
        assertThatThrownBy(tests::run).isInstanceOf(FilterFaultsException.class);
        write("inbound/A.groovy", "filter { it.respond(403) } ");

        assertThat(run(tests)).containsExactly("inbound/ATest.groovy");
    }

    @Test
    void runsOnlyTheTestsOfChosenFilters() throws Exception {
        RepeatedTests tests = tests("B");

        assertThat(run(tests)).containsExactly("inbound/BTest.groovy");
        write("inbound/A.groovy", "filter { it.respond(403) } ");
        assertThat(run(tests)).isEmpty();
    }

    @Test
    void waitsForTheNextChangeOfAFilterOrATest() throws Exception {
        RepeatedTests tests = tests();
        tests.run();
        write("inbound/BTest.groovy", TEST + "\n");
        tests.awaitChange();
        tests.run();
        write("inbound/B.groovy", "filter { it.respond(403) } ");
        tests.awaitChange();
        assertThat(run(tests)).contains("inbound/BTest.groovy");
    }

    @Test
    void noticesAChangeThatMakesATestUnreadable() throws Exception {
        RepeatedTests tests = tests();
        tests.run();
        Files.write(directory.resolve("inbound/BTest.groovy"), new byte[] {(byte) 0xff, (byte) 0xfe});

        tests.awaitChange();

        assertThatThrownBy(tests::run).hasMessageContaining("inbound/BTest.groovy");
    }
}
