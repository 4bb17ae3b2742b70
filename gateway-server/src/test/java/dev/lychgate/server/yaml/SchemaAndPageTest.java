package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Compares the reader, the schema and the page of the documentation. */
@Tag("slow")
class SchemaAndPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|(.*)\\|(.*)\\|(.*)\\|$");
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```ya?ml\\n(.*?)^```");

    @Test
    void theSchemaHasTheKeysOfTheReaderAndNoOthers() throws IOException {
        assertThat(SchemaKeys.of(schemaNode())).containsExactlyInAnyOrderElementsOf(ConfigReader.knownKeys());
    }

    @Test
    void theSchemaDescribesEachKey() throws IOException {
        assertThat(SchemaKeys.undescribed(schemaNode())).isEmpty();
    }

    @Test
    void thePageHasTheKeysOfTheReaderEachOnce() throws IOException {
        List<String> keys = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/configuration.md")));
        while (row.find()) {
            keys.add(row.group(1));
            assertThat(row.group(2)).as("type of " + row.group(1)).isNotBlank();
            assertThat(row.group(3)).as("default of " + row.group(1)).isNotBlank();
            assertThat(row.group(4)).as("meaning of " + row.group(1)).isNotBlank();
        }

        assertThat(keys).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(ConfigReader.knownKeys());
    }

    @TestFactory
    Stream<DynamicTest> everyExampleIsAcceptedByReaderAndSchema() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files("config", ".yml")) {
            String yaml = Files.readString(file);
            // The integration test of an extension checks the example of the extension, with the extension in use.
            boolean ofPrometheus = file.startsWith(ROOT.resolve("config").resolve("prometheus"));
            if (!ofPrometheus && !yaml.contains("\nextensions:")) {
                tests.add(accepted(ROOT.relativize(file).toString(), yaml));
            }
        }
        List<Path> pages = new ArrayList<>(files("docs", ".md"));
        if (Files.exists(ROOT.resolve("README.md"))) {
            pages.add(ROOT.resolve("README.md"));
        }
        for (Path page : pages) {
            Matcher snippet = SNIPPET.matcher(Files.readString(page));
            while (snippet.find()) {
                tests.add(accepted(ROOT.relativize(page) + "@" + snippet.start(), snippet.group(1)));
            }
        }
        assertThat(tests).hasSizeGreaterThan(3);
        return tests.stream();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "listeners: []",
                "listeners: [{ name: a }]",
                "listeners: [{ name: a b, address: 'localhost:1' }]",
                "listeners: [{ name: a, address: 'localhost:1', timeouts: { idle: 4 } }]",
                "listeners: [{ name: a, address: 'localhost:1', limits: { body: 4 } }]",
                "listeners: [{ name: a, address: 'localhost:1', forwarded: yes }]",
                "listeners: [{ name: a, address: 'localhost:1', limits: { connections: '5' } }]",
                "listeners: [{ name: a, address: 'localhost:1', tls: {} }]",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { global: [{ gzip: 5 }] } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { global: [set-path] } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { global: [{ set-path: {} }] } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { global: [{ set-path: { path: 5 } }] } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { global: [{ request-id: {}, cors: {} }] } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { guard: { strikes: 0 } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { trace: { secret: short } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { trace: { match: { weight: { group: a, share: 1 } } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], filters: { build-timeout: 30 } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { headers: { request: ['a b'] } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { redact: { query: ['a b'] } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { sample: 101% } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { sample: 0.1 } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { hec: { url: 'https://a' } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { hec: { url: 'ftp://a', token: t } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { hec: { url: 'https://a', token: 'a b' } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], log: { level: loud } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], log: { loggers: { a: loud } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, access-log: none }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, access-log: { sample: most } }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], workers: 0 }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], overload: { heap: 95 } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], overload: { priority: { key: client, values: { a: 1 } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], overload: { priority: { key: 'header:a', values: { a: 10 } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], recorder: { keep: 65537 } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { sample: 5 } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { propagate: [] } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { accept: some } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { otlp: {} } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { otlp: { url: 'http://a', queue: 1 } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { otlp: { url: 'http://u@a/' } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], tracing: { otlp: { url: 'ftp://a/' } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], metrics: { jmx: 1 } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], metrics: { otlp: {} } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], metrics: { otlp: { url: 'ftp://a/' } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], metrics: { opentsdb: { url: 'http://u@a/' } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], metrics: { opentsdb: { url: 'http://a/', interval: 5 } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], metrics: { otlp: { url: 'http://a/', queue: 5 } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, priority: 10 }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, retry: { on: [abort] } }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, retry: { hedge: {} } }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, bulkhead: {} }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], limit: { min: 0 } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], breaker: { error-share: 50 } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['ftp://a'] } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: [] } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: [{ url: 'http://a', weight: 0 }] } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], balance: { algorithm: fair } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], balance: { algorithm: consistent-hash } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], balance: { panic-below: 5 } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: sticky } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: { cookie: L } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: { secret: 0123456789abcdef } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: { cookie: L, application-cookie: S, secret: 0123456789abcdef } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: { cookie: L, secret: short } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: { cookie: L, secret: 0123456789abcdef, same-site: maybe } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: { application-cookie: S, secret: 0123456789abcdef, secure: true } } } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, subset: { v: x }, respond: {} }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, websocket: 5 }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, websocket: { idle: 5 } }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, websocket: { connections: 0 } }] }"
            })
    void theSchemaRefusesWhateverTheReaderRefuses(String yaml) throws IOException {
        assertThat(FaultsTest.faults(yaml)).isNotEmpty();
        assertThat(validate(yaml)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listeners: [{ name: a, address: 'localhost:1', timeouts: { idle: 0 } }]",
                "listeners: [{ name: a, address: 'localhost:1', limits: { start-line: 1B } }]",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, upstream: none }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, respond: {}, match: { listeners: [b] } }] }",
            })
    void acceptsInTheSchemaBoundsOfAmountsAndReferencesThatTheReaderRefuses(String yaml) throws IOException {
        assertThat(FaultsTest.faults(yaml)).isNotEmpty();
        assertThat(validate(yaml)).isEmpty();
    }

    private static DynamicTest accepted(String name, String yaml) {
        return DynamicTest.dynamicTest(name, () -> {
            assertThat(FaultsTest.faults(yaml)).isEmpty();
            assertThat(validate(yaml)).isEmpty();
        });
    }

    private static Set<ValidationMessage> validate(String yaml) throws IOException {
        Object loaded =
                new Load(LoadSettings.builder().setSchema(new CoreSchema()).build()).loadFromString(yaml);
        JsonSchema schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schemaNode());
        return schema.validate(new ObjectMapper().valueToTree(loaded));
    }

    private static JsonNode schemaNode() throws IOException {
        return new ObjectMapper().readTree(Files.readString(ROOT.resolve("config/gateway.schema.json")));
    }

    private static List<Path> files(String directory, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT.resolve(directory))) {
            return all.filter(f -> f.toString().endsWith(suffix)).sorted().toList();
        }
    }
}
