package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.zuul.CorpusResult.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads public filters of Zuul, which are not part of this repository, from the directory of the system property {@code
 * zuul.corpus}. The directory {@code lib} there has the jars that the filters need. The report is in {@code
 * target/zuul-corpus.txt}.
 */
@Tag("slow")
@EnabledIfSystemProperty(named = "zuul.corpus", matches = ".+", disabledReason = "no corpus of filters is given")
class CorpusTest {
    @TempDir
    Path empty = Path.of("");

    @Test
    void loadsOrRefusesEachFilterOfTheCorpus() throws Exception {
        List<CorpusResult> results = CorpusRun.of(Path.of(System.getProperty("zuul.corpus")), empty);
        List<CorpusResult> suitable =
                results.stream().filter(CorpusResult::needsOnlyTheApi).toList();
        List<CorpusResult> refused = suitable.stream()
                .filter(each -> each.outcome() == Outcome.REFUSED)
                .toList();
        String summary = "files=" + results.size()
                + results.stream()
                        .collect(Collectors.groupingBy(CorpusResult::outcome, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(each -> " " + each.getKey() + "=" + each.getValue())
                        .sorted()
                        .collect(Collectors.joining())
                + " need-only-the-api=" + suitable.size() + " of-these-refused=" + refused.size();
        Path report = Path.of("target", "zuul-corpus.txt");
        Files.writeString(
                report,
                summary + "\n\n" + results.stream().map(CorpusResult::toString).collect(Collectors.joining("\n"))
                        + "\n");
        System.out.println(summary + "; report: " + report.toAbsolutePath());

        assertThat(results).filteredOn(each -> each.outcome() == Outcome.FAILED).isEmpty();
        assertThat(results).filteredOn(each -> !each.hasRemedy()).isEmpty();
        assertThat(refused.size() * 100L)
                .as("refused files of those that need only the API: %s", refused)
                .isLessThanOrEqualTo(suitable.size() * 5L);
    }
}
