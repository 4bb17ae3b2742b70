package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.MarkdownTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares queries of Prometheus with the page of the metrics. */
final class DocumentedQueries {
    private static final Pattern METRIC = Pattern.compile("\\b(lychgate|jvm|process|system)_[a-z0-9_]+");
    private static final Pattern SELECTOR = Pattern.compile("([a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)(?:=~|!=|=)\"");
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    private DocumentedQueries() {}

    /** Requires that the page has all metrics and labels of a query. Returns the metrics of the query. */
    static Set<String> requireDocumented(String query) throws Exception {
        Map<String, Set<String>> labels = documented();
        Set<String> asked = new HashSet<>();
        Matcher metric = METRIC.matcher(query);
        assertThat(metric.find()).as(query).isTrue();
        do {
            assertThat(labels).as(query).containsKey(metric.group());
            asked.add(metric.group());
        } while (metric.find());
        Matcher selector = SELECTOR.matcher(query);
        while (selector.find()) {
            Set<String> known = labels.get(selector.group(1));
            assertThat(known).as(query).isNotNull();
            Matcher label = LABEL.matcher(selector.group(2));
            while (label.find()) {
                assertThat(known.contains(label.group(1)) || OF_PROMETHEUS.contains(label.group(1)))
                        .as(label.group(1) + " in " + query)
                        .isTrue();
            }
        }
        return asked;
    }

    /** Names and labels in queries. */
    private static Map<String, Set<String>> documented() throws Exception {
        Map<String, Set<String>> all = new HashMap<>();
        for (List<String> row : MarkdownTable.rows("metrics.md")) {
            Set<String> labels = Set.of(row.get(2).split(", *"));
            String name = row.get(0);
            switch (row.get(1)) {
                case "histogram" -> {
                    all.put(name + "_bucket", labels);
                    all.put(name + "_count", labels);
                    all.put(name + "_sum", labels);
                }
                case "summary" -> {
                    all.put(name + "_count", labels);
                    all.put(name + "_sum", labels);
                }
                default -> all.put(name, labels);
            }
        }
        return all;
    }
}
