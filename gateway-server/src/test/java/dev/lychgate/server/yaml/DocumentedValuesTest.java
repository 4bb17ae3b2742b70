package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.Secret;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.WrittenConfig;
import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.extensions.InstalledExtensions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every value that docs/configuration.md names is accepted, reaches the configuration, and has the documented bounds. */
@Tag("slow")
class DocumentedValuesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final SampleFiles samples = new SampleFiles();
    private final JsonSchema schema;

    DocumentedValuesTest() throws IOException {
        schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(JSON.readTree(Files.readString(Path.of("../config/gateway.schema.json"))));
    }

    @BeforeAll
    static void installAnExtension(@TempDir Path directory) throws IOException {
        ExtensionJars.sample("sample").write(directory.resolve("sample.jar"));
        ExtensionJars.guards("guards").write(directory.resolve("guards.jar"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
    }

    @AfterAll
    static void forgetIt() {
        System.clearProperty(InstalledExtensions.DIRECTORY);
    }

    private List<JsonNode> values(DocumentedRow row) {
        Set<JsonNode> values = new LinkedHashSet<>();
        row.words().forEach(word -> values.add(JSON.valueToTree(word)));
        JsonNode given = samples.values().path(row.key());
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
                ObjectNode file = samples.with(row.key(), value);
                assertThat(FaultsTest.faults(file.toString()))
                        .as(file.toString())
                        .isEmpty();
                assertThat(schema.validate(file)).as(file.toString()).isEmpty();
                read.add(read(file));
            }
            if (values.size() == 1 && defaults(row).isEmpty()) {
                read.add(read(samples.without(row.key(), values.get(0))));
                assertThat(read).as("with and without the key").hasSize(2);
            } else {
                assertThat(read).as("one configuration for each of %s", values).hasSize(values.size());
            }
        });
    }

    /** The output of {@code /config} is a valid file with the same configuration. */
    @TestFactory
    Stream<DynamicTest> eachDocumentedValueIsWrittenAsTheFileHasIt() throws IOException {
        return each(row -> true, row -> {
            for (JsonNode value : values(row)) {
                GatewayConfig config = read(samples.with(row.key(), value));
                JsonNode written = JSON.valueToTree(plain(WrittenConfig.of(config)));

                assertThat(FaultsTest.faults(written.toString()))
                        .as(written.toString())
                        .isEmpty();
                assertThat(read(written)).as(written.toString()).isEqualTo(config);
            }
        });
    }

    /** The tree without nulls, with secrets. */
    private static Object plain(Object node) {
        if (node instanceof Map<?, ?> map) {
            Map<String, Object> plain = new LinkedHashMap<>();
            map.forEach((key, value) -> {
                if (value != null) {
                    plain.put(key.toString(), plain(value));
                }
            });
            return plain;
        }
        if (node instanceof List<?> list) {
            return list.stream().map(DocumentedValuesTest::plain).toList();
        }
        if (node instanceof Secret secret) {
            return secret.value();
        }
        return node instanceof Boolean || node instanceof Number ? node : node.toString();
    }

    private static List<JsonNode> defaults(DocumentedRow row) {
        return row.defaults().stream().<JsonNode>map(JSON::valueToTree).toList();
    }

    @TestFactory
    Stream<DynamicTest> eachDocumentedDefaultIsWhatAnAbsentKeyMeans() throws IOException {
        return each(row -> !row.defaults().isEmpty(), row -> {
            JsonNode written = defaults(row).get(0);
            GatewayConfig with = read(samples.with(row.key(), written));
            if (row.key().startsWith("upstreams.*.timeouts.")) {
                // Defaults of timeouts are applied later, after the timeouts of the route.
                UpstreamConfig upstream =
                        Objects.requireNonNull(with.upstreams().get("u"));
                assertThat(upstream.timeouts()).isNotEqualTo(RouteTimeouts.UNSET);
                assertThat(upstream.timeouts().orElse(RouteTimeouts.DEFAULT)).isEqualTo(RouteTimeouts.DEFAULT);
            } else {
                assertThat(with).isEqualTo(read(samples.without(row.key(), written)));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> eachDocumentedBoundIsTheLastValueThatIsAccepted() throws IOException {
        return each(row -> !row.outside().isEmpty(), row -> {
            for (Object outside : row.outside()) {
                ObjectNode file = samples.with(row.key(), JSON.valueToTree(outside));
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
    void everySampleIsOfADocumentedKey() throws IOException {
        List<String> keys = DocumentedRow.all().stream().map(DocumentedRow::key).toList();
        assertThat(samples.values().properties().stream().map(Map.Entry::getKey))
                .isSubsetOf(keys);
    }
}
