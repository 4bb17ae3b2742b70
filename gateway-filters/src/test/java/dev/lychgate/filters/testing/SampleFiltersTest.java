package dev.lychgate.filters.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the tests of config/filters. Each filter has one. */
@Tag("slow")
class SampleFiltersTest {
    private static final Path SAMPLES = Path.of("../config/filters");
    /** More than the default, because other tests run at the same time. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** A row of the table: the first file of the sample, and its settings. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+/\\w+)`[^|]*\\|[^|]*\\|([^|]*)\\|");

    private static final Pattern NAME = Pattern.compile("`([a-z-]+)`");

    @TestFactory
    Stream<DynamicTest> passTheirTests() throws Exception {
        return FilterTests.run(SAMPLES, PATIENCE).files().stream()
                .flatMap(file -> file.outcomes().stream()
                        .map(outcome -> DynamicTest.dynamicTest(
                                file.path() + ": " + outcome.test(),
                                () -> assertThat(outcome.failure()).isNull())));
    }

    @Test
    void haveTheDocumentedSettings() throws Exception {
        String page = Files.readString(Path.of("../docs/filter-samples.md"));
        Matcher row = ROW.matcher(page);
        int rows = 0;
        try (TestedFilters samples = TestedFilters.in(SAMPLES)) {
            for (; row.find(); rows++) {
                List<String> listed = names(row.group(2));
                List<String> declared = samples.inFile(row.group(1) + ".groovy").settingNames();
                if (listed.isEmpty() || row.group(2).contains("and more")) {
                    assertThat(declared).as(row.group(1)).containsAll(listed);
                } else {
                    assertThat(declared).as(row.group(1)).containsExactlyElementsOf(listed);
                }
            }
        }
        assertThat(rows).isGreaterThan(15);
    }

    private static List<String> names(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1)).toList();
    }

    @Test
    void haveOneTestEach() throws Exception {
        try (Stream<Path> files = Files.walk(SAMPLES)) {
            List<String> all = files.map(Path::toString)
                    .filter(file -> file.endsWith(".groovy"))
                    .toList();
            assertThat(all)
                    .allSatisfy(file -> assertThat(all)
                            .contains(file.endsWith("Test.groovy") ? file : file.replace(".groovy", "Test.groovy")));
            assertThat(all).hasSizeGreaterThan(24);
        }
    }
}
