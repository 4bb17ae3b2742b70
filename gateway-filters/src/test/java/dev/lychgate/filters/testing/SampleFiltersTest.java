package dev.lychgate.filters.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The filters of config/filters do what their tests say, and each of them has one. */
@Tag("slow")
class SampleFiltersTest {
    private static final Path SAMPLES = Path.of("../config/filters");

    @TestFactory
    Stream<DynamicTest> passTheirTests() throws Exception {
        return FilterTests.run(SAMPLES).files().stream()
                .flatMap(file -> file.outcomes().stream()
                        .map(outcome -> DynamicTest.dynamicTest(
                                file.path() + ": " + outcome.test(),
                                () -> assertThat(outcome.failure()).isNull())));
    }

    @Test
    void haveATestEach() throws Exception {
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
