package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares the supplied dashboard with the page of the metrics. */
class GrafanaDashboardTest {
    private static final Path FILE = Path.of("..", "config", "grafana", "lychgate.json");

    @Test
    void everyQueryUsesMetricsAndLabelsOfThePage() throws Exception {
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(50);
        Set<String> asked = new HashSet<>();
        for (String query : queries) {
            asked.addAll(DocumentedQueries.requireDocumented(query));
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
