package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.config.Key;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the page and the schema with the existing filters. */
class DocumentedFiltersTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "other-gateways.md");

    @Test
    void thePageDescribesEachSettingLikeTheFilter() throws Exception {
        List<List<String>> rows = new ArrayList<>();
        for (FilterKind kind : BuiltinFilters.all()) {
            rows.add(List.of(kind.name(), "-", "-", plain(kind.about())));
            kind.settings().stream()
                    .filter(setting -> !setting.name().equals("order"))
                    .forEach(setting -> rows.add(row(kind.name(), setting)));
        }
        FilterKind any = BuiltinFilters.all().get(0);
        rows.add(row("*", any.settings().get(any.settings().size() - 1)));

        assertThat(MarkdownTable.rows("filters.md")).containsExactlyElementsOf(rows);
    }

    @Test
    void theGuideForOtherGatewaysNamesBuiltinFilters() throws Exception {
        Matcher rows = Pattern.compile("(?m)^\\|[^|]*\\| filters? (`.*`)").matcher(Files.readString(GUIDE));
        List<String> names = new ArrayList<>();
        while (rows.find()) {
            Pattern.compile("`([a-z-]+)`").matcher(rows.group(1)).results().forEach(name -> names.add(name.group(1)));
        }
        assertThat(names).hasSizeGreaterThan(10);
        assertThat(BuiltinFilters.names()).containsAll(names);
    }

    private static List<String> row(String of, Key<?> setting) {
        String otherwise = written(setting);
        return List.of(
                of + "." + setting.name(),
                plain(setting.form().words()),
                (setting.requires() != null) ? "**required**" : otherwise == null ? "none" : otherwise,
                plain(setting.about()));
    }

    private static <T> @Nullable String written(Key<T> key) {
        return key.otherwise() == null ? null : key.form().print().apply(key.otherwise());
    }

    private static String plain(String text) {
        return text.replace("`", "");
    }

    @Test
    void theSchemaHasEachFilterWithItsSettings() throws Exception {
        JsonNode filter = new ObjectMapper()
                .readTree(Path.of("..", "config", "gateway.schema.json").toFile())
                .at("/$defs/filter/anyOf");
        JsonNode kinds = filter.at("/1/properties");
        List<String> needSettings = new ArrayList<>();
        for (FilterKind kind : BuiltinFilters.all()) {
            JsonNode node = kinds.path(kind.name());
            assertThat(node.path("description").asText()).isEqualTo(sentence(kind.about()));
            assertThat(names(node.path("properties")))
                    .as(kind.name())
                    .containsExactlyElementsOf(
                            kind.settings().stream().map(Key::name).toList());
            List<String> required = new ArrayList<>();
            node.path("required").forEach(name -> required.add(name.asText()));
            for (Key<?> setting : kind.settings()) {
                JsonNode described = node.at("/properties/" + setting.name());
                assertThat(described.path("description").asText()).isEqualTo(sentence(setting.about()));
                assertThat(required.contains(setting.name()))
                        .as(setting.name())
                        .isEqualTo((setting.requires() != null));
                assertThat(described.has("default")).as(setting.name()).isEqualTo(setting.otherwise() != null);
            }
            if (!kind.needsNothing()) {
                needSettings.add(kind.name());
            }
        }
        assertThat(names(kinds)).containsExactlyElementsOf(BuiltinFilters.names());
        List<String> neverBare = new ArrayList<>();
        filter.at("/0/not/enum").forEach(name -> neverBare.add(name.asText()));
        assertThat(neverBare).containsExactlyElementsOf(needSettings);
    }

    private static List<String> names(JsonNode properties) {
        return properties.properties().stream().map(Map.Entry::getKey).toList();
    }

    private static String sentence(String about) {
        String plain = plain(about);
        return Character.toUpperCase(plain.charAt(0)) + plain.substring(1) + ".";
    }
}
