package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.MarkdownTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the supplied dashboard with the page of the metrics. */
class GrafanaDashboardTest {
    private static final Path FILE = Path.of("..", "config", "grafana", "lychgate.json");
    private static final Pattern METRIC = Pattern.compile("\\b(lychgate|jvm|process|system)_[a-z0-9_]+");
    private static final Pattern SELECTOR = Pattern.compile("([a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z]+)(?:=~|!=|=)\"");
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    @Test
    void everyQueryUsesMetricsAndLabelsOfThePage() throws Exception {
        Map<String, Set<String>> labels = documented();
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(50);
        Set<String> asked = new HashSet<>();
        for (String query : queries) {
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
        }
        assertThat(asked)
                .contains(
                        "lychgate_requests_total",
                        "lychgate_request_phase_seconds_bucket",
                        "lychgate_spans_dropped_total",
                        "lychgate_loop_lag_seconds_bucket");
    }

    @Test
    void panelsDoNotOverlapAndHaveUniqueIds() throws Exception {
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : new ObjectMapper().readTree(FILE.toFile()).path("panels")) {
            assertThat(ids.add(panel.path("id").asInt())).isTrue();
            JsonNode at = panel.path("gridPos");
            assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
            for (int x = at.path("x").asInt();
                    x < at.path("x").asInt() + at.path("w").asInt();
                    x++) {
                for (int y = at.path("y").asInt();
                        y < at.path("y").asInt() + at.path("h").asInt();
                        y++) {
                    assertThat(cells.add(x + "/" + y))
                            .as(panel.path("title").asText())
                            .isTrue();
                }
            }
        }
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

    private static List<String> queries() throws Exception {
        JsonNode dashboard = new ObjectMapper().readTree(FILE.toFile());
        List<String> queries = new ArrayList<>();
        dashboard.findValues("expr").forEach(expr -> queries.add(expr.asText()));
        for (JsonNode variable : dashboard.path("templating").path("list")) {
            if (variable.path("type").asText().equals("query")) {
                queries.add(variable.path("query").path("query").asText());
            }
        }
        return queries;
    }
}
