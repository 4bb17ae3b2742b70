package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Compares the supplied alerts with the page of the metrics. */
class AlertRulesTest {
    private static final Path FILE = Path.of("..", "config", "prometheus", "alerts.yml");
    private static final Pattern ROW = Pattern.compile("^- `(Lychgate[A-Za-z]+)`: ", Pattern.MULTILINE);
    private static final Pattern LABEL_OF_SUMMARY = Pattern.compile("\\$labels\\.([a-z]+)");

    private static List<JsonNode> rules() throws Exception {
        Object file = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(FILE));
        List<JsonNode> rules = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        json.<JsonNode>valueToTree(file)
                .path("groups")
                .forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }

    @Test
    void everyExpressionUsesMetricsAndLabelsOfThePage() throws Exception {
        List<JsonNode> rules = rules();
        assertThat(rules).hasSizeGreaterThan(10);
        for (JsonNode rule : rules) {
            DocumentedQueries.requireDocumented(rule.path("expr").asText());
        }
    }

    /** A label that an aggregation removes would be empty in the summary. */
    @Test
    void everySummaryUsesLabelsOfItsExpression() throws Exception {
        for (JsonNode rule : rules()) {
            String expression = rule.path("expr").asText();
            Matcher label = LABEL_OF_SUMMARY.matcher(
                    rule.path("annotations").path("summary").asText());
            while (label.find()) {
                assertThat(!expression.contains(" by (")
                                || expression.matches("(?s).* by \\([^)]*\\b" + label.group(1) + "\\b.*"))
                        .as(label.group(1) + " in " + expression)
                        .isTrue();
            }
        }
    }

    @Test
    void thePageListsTheAlerts() throws Exception {
        List<String> listed = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
        while (row.find()) {
            listed.add(row.group(1));
        }
        assertThat(listed)
                .containsExactlyElementsOf(rules().stream()
                        .map(rule -> rule.path("alert").asText())
                        .toList());
    }
}
