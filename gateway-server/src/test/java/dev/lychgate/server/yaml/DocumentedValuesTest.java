package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Every value that docs/configuration.md names is accepted, reaches the configuration, and has the documented bounds. */
class DocumentedValuesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SMALLEST = """
            listeners: [{ name: a, address: "localhost:0" }]
            routes: [{ id: r, upstream: u }]
            upstreams: { u: { endpoints: ["http://localhost:1"] } }
            """;

    private final JsonNode samples;
    private final JsonSchema schema;

    DocumentedValuesTest() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("documented-values.yml"))) {
            samples = yaml(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
        }
        schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(JSON.readTree(Files.readString(Path.of("../config/gateway.schema.json"))));
    }

    private static JsonNode yaml(String text) {
        return JSON.valueToTree(
                new Load(LoadSettings.builder().setSchema(new CoreSchema()).build()).loadFromString(text));
    }

    /** The smallest file with all that must stand beside this value of the key. */
    private ObjectNode beside(String key, JsonNode value) {
        ObjectNode file = (ObjectNode) yaml(SMALLEST);
        samples.path("beside").properties().stream()
                .filter(entry ->
                        key.startsWith(entry.getKey()) || entry.getKey().equals(key + "=" + value.asText()))
                .sorted(Comparator.comparing(entry -> entry.getKey().length()))
                .forEach(entry -> merge(file, entry.getValue()));
        return file;
    }

    private static void merge(ObjectNode into, JsonNode overlay) {
        for (Map.Entry<String, JsonNode> entry : overlay.properties()) {
            JsonNode there = into.get(entry.getKey());
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                into.remove(entry.getKey());
            } else if (there instanceof ObjectNode object && value.isObject()) {
                merge(object, value);
            } else if (there instanceof ArrayNode list
                    && list.path(0) instanceof ObjectNode first
                    && value.path(0).isObject()) {
                merge(first, value.get(0));
            } else {
                into.set(entry.getKey(), value.deepCopy());
            }
        }
    }

    private ObjectNode with(String key, JsonNode value) {
        ObjectNode file = beside(key, value);
        parent(file, key).set(last(key), value);
        return file;
    }

    private ObjectNode without(String key, JsonNode value) {
        ObjectNode file = beside(key, value);
        parent(file, key).remove(last(key));
        return file;
    }

    private static String last(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    private static ObjectNode parent(ObjectNode file, String key) {
        ObjectNode at = file;
        String[] steps = key.split("\\.", -1);
        for (int i = 0; i < steps.length - 1; i++) {
            String step = steps[i].equals("*") ? "u" : steps[i];
            if (step.endsWith("[]")) {
                ArrayNode list = at.withArray("/" + step.substring(0, step.length() - 2));
                at = list.isEmpty() ? list.addObject() : (ObjectNode) list.get(0);
            } else {
                JsonNode next = at.get(step);
                at = next instanceof ObjectNode section ? section : at.putObject(step);
            }
        }
        return at;
    }

    private List<JsonNode> values(DocumentedRow row) {
        Set<JsonNode> values = new LinkedHashSet<>();
        row.words().forEach(word -> values.add(JSON.valueToTree(word)));
        JsonNode given = samples.path("values").path(row.key());
        if (given.isMissingNode()) {
            row.amounts().forEach(amount -> values.add(JSON.valueToTree(amount)));
        }
        given.forEach(values::add);
        return List.copyOf(values);
    }

    private static GatewayConfig read(JsonNode file) throws FaultyConfigException {
        return new ConfigReader(name -> null)
                .read("gateway.yml", file.toString())
                .config();
    }

    private static Stream<DynamicTest> each(
            java.util.function.Predicate<DocumentedRow> of, ThrowingConsumer<DocumentedRow> test) throws IOException {
        return DocumentedRow.all().stream()
                .filter(row -> !row.isSection())
                .filter(of)
                .map(row -> dynamicTest(row.key(), () -> test.accept(row)));
    }

    private interface ThrowingConsumer<T> {
        void accept(T of) throws Exception;
    }

    @TestFactory
    Stream<DynamicTest> eachDocumentedValueIsAcceptedAndMakesADifference() throws IOException {
        return each(row -> true, row -> {
            List<JsonNode> values = values(row);
            assertThat(values)
                    .as("values of " + row.key() + ": add some to documented-values.yml")
                    .isNotEmpty();
            Set<GatewayConfig> read = new LinkedHashSet<>();
            for (JsonNode value : values) {
                ObjectNode file = with(row.key(), value);
                assertThat(FaultsTest.faults(file.toString()))
                        .as(file.toString())
                        .isEmpty();
                assertThat(schema.validate(file)).as(file.toString()).isEmpty();
                read.add(read(file));
            }
            if (values.size() == 1 && defaults(row).isEmpty()) {
                read.add(read(without(row.key(), values.get(0))));
                assertThat(read).as("with and without the key").hasSize(2);
            } else {
                assertThat(read).as("one configuration for each of %s", values).hasSize(values.size());
            }
        });
    }

    private static List<JsonNode> defaults(DocumentedRow row) {
        return row.defaults().stream().<JsonNode>map(JSON::valueToTree).toList();
    }

    @TestFactory
    Stream<DynamicTest> eachDocumentedDefaultIsWhatAnAbsentKeyMeans() throws IOException {
        return each(row -> !row.defaults().isEmpty(), row -> {
            JsonNode written = defaults(row).get(0);
            GatewayConfig with = read(with(row.key(), written));
            if (row.key().startsWith("upstreams.*.timeouts.")) {
                // Defaults of timeouts are applied later: a route comes between.
                UpstreamConfig upstream =
                        Objects.requireNonNull(with.upstreams().get("u"));
                assertThat(upstream.timeouts()).isNotEqualTo(RouteTimeouts.UNSET);
                assertThat(upstream.timeouts().orElse(RouteTimeouts.DEFAULT)).isEqualTo(RouteTimeouts.DEFAULT);
            } else {
                assertThat(with).isEqualTo(read(without(row.key(), written)));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> eachDocumentedBoundIsTheLastValueThatIsAccepted() throws IOException {
        return each(row -> !row.outside().isEmpty(), row -> {
            for (Object outside : row.outside()) {
                ObjectNode file = with(row.key(), JSON.valueToTree(outside));
                assertThat(FaultsTest.faults(file.toString()))
                        .as(file.toString())
                        .isNotEmpty();
            }
        });
    }

    @Test
    void eachSectionHasKeys() throws IOException {
        List<DocumentedRow> rows = DocumentedRow.all();
        List<String> empty = new ArrayList<>();
        for (DocumentedRow row : rows) {
            if (row.isSection() && rows.stream().noneMatch(other -> other.key().startsWith(row.key() + "."))) {
                empty.add(row.key());
            }
        }
        assertThat(empty).isEmpty();
    }

    @Test
    void noSampleIsOfAKeyThatIsNotDocumented() throws IOException {
        List<String> keys = DocumentedRow.all().stream().map(DocumentedRow::key).toList();
        assertThat(samples.path("values").properties().stream().map(Map.Entry::getKey))
                .isSubsetOf(keys);
    }
}
