package dev.lychgate.server.migrate;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The report of the migration for a directory.
 *
 * @param filters the files with filters, sorted by path
 * @param configuration the derived configuration in YAML
 * @param notUnderstood properties and values without a counterpart, one per element
 */
public record MigrationReport(List<FilterReport> filters, String configuration, List<String> notUnderstood) {
    public MigrationReport {
        filters = List.copyOf(filters);
        notUnderstood = List.copyOf(notUnderstood);
    }

    /** Returns the number of files for each verdict. */
    public Map<Verdict, Integer> counts() {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        for (Verdict verdict : Verdict.values()) {
            counts.put(verdict, 0);
        }
        filters.forEach(filter -> counts.merge(filter.verdict(), 1, Integer::sum));
        return counts;
    }
}
