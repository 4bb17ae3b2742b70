package dev.lychgate.server.migrate;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report for one file with a filter.
 *
 * @param path the path of the file, relative to the examined directory
 * @param name the name of the class
 * @param type the type of the filter, such as {@code pre}; null if the source does not state it as a constant
 * @param order the position of the filter among the filters of its type; null if the source does not state it as a
 *     constant
 */
public record FilterReport(
        String path,
        String name,
        @Nullable String type,
        @Nullable Integer order,
        List<Finding> findings) {
    public FilterReport {
        findings = findings.stream()
                .sorted(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column))
                .distinct()
                .toList();
    }

    /** Returns the severest verdict of all findings. */
    public Verdict verdict() {
        return findings.stream()
                .map(Finding::verdict)
                .max(Comparator.naturalOrder())
                .orElse(Verdict.RUNS);
    }
}
