package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsReaderTest {
    private static final String LISTENERS = "listeners: [{ name: a, address: 'localhost:1' }]\n";

    private static MetricsConfig read(String yaml) throws FaultyConfigException {
        return new ConfigReader(name -> name.equals("KEY") ? "c0ffee" : null)
                .read("gateway.yml", LISTENERS + yaml)
                .config()
                .metrics();
    }

    @Test
    void exposesMBeansAndSendsNothingByDefault() throws FaultyConfigException {
        assertThat(read("")).isEqualTo(MetricsConfig.DEFAULT).isEqualTo(new MetricsConfig(true, null, null));
    }

    @Test
    void readsEveryKeyOfReceivers() throws FaultyConfigException {
        MetricsConfig config = read("""
                metrics:
                  jmx: false
                  opentsdb:
                    url: "http://tsdb.example:4242/api/put"
                    interval: 30s
                    tags: { site: fra1 }
                    headers: { authorization: "Basic ${KEY}" }
                    timeout: 2s
                    queue: 1MiB
                  otlp: { url: "https://otlp.example/v1/metrics", attributes: { "deployment.environment.name": "a, b" } }
                """);
        assertThat(config)
                .isEqualTo(new MetricsConfig(
                        false,
                        new MetricsPush(
                                URI.create("http://tsdb.example:4242/api/put"),
                                Duration.ofSeconds(30),
                                Map.of("site", "fra1"),
                                Map.of("authorization", "Basic c0ffee"),
                                Duration.ofSeconds(2),
                                ByteSize.ofMiB(1)),
                        new MetricsPush(
                                URI.create("https://otlp.example/v1/metrics"),
                                Duration.ofSeconds(10),
                                Map.of("deployment.environment.name", "a, b"),
                                Map.of(),
                                Duration.ofSeconds(10),
                                ByteSize.ofMiB(8))));
        assertThat(config.toString()).doesNotContain("c0ffee").contains("http://tsdb.example:4242");
    }

    @Test
    void readsTheBoundariesOfHistograms() throws FaultyConfigException {
        assertThat(read("metrics: { buckets: [250us, 1ms, 2500us, 1s, 1h] }").buckets())
                .containsExactly(
                        Duration.ofNanos(250_000),
                        Duration.ofMillis(1),
                        Duration.ofNanos(2_500_000),
                        Duration.ofSeconds(1),
                        Duration.ofHours(1));
        assertThat(read("metrics: { jmx: false }").buckets()).isEqualTo(MetricsConfig.DEFAULT_BUCKETS);
    }

    @Test
    void refusesMoreThanFiftyBoundaries() {
        String bounds = IntStream.rangeClosed(1, 51).mapToObj(i -> i + "ms").collect(Collectors.joining(", "));
        assertThat(FaultsTest.faults(LISTENERS + "metrics: { buckets: [" + bounds + "] }\n"))
                .singleElement()
                .asString()
                .endsWith(": metrics.buckets: 51 items (expected: 1 to 50 items)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jmx: 1 | metrics.jmx: 1 (expected: true or false; yes, no, on and off are text in YAML 1.2)",
                "buckets: [] | metrics.buckets: [] (expected: 1 to 50 items)",
                "buckets: 5ms | metrics.buckets: 5ms (expected: a list of durations)",
                "buckets: [1ms, 5] | metrics.buckets[1]: 5 (expected: a duration such as 250ms, 4s, 10m or 1h; a bare number has no unit)",
                "buckets: [1ms, 5ms, 5ms] | metrics.buckets[1]: 5ms (expected: ascending bounds: this bound must be above 5ms)",
                "buckets: [10ms, 5ms] | metrics.buckets[1]: 5ms (expected: ascending bounds: this bound must be above 10ms)",
                "buckets: [1us, 5ms] | metrics.buckets[0]: 1us (expected: 10us to 1h)",
                "buckets: [5ms, 61m] | metrics.buckets[1]: 61m (expected: 10us to 1h)",
                "otlp: {} | metrics.otlp.url: missing (expected: the URL of the receiver, such as http://127.0.0.1:4318/v1/metrics)",
                "otlp: { url: 'a/b' } | metrics.otlp.url: a/b (expected: http://HOST[:PORT]/PATH or https://HOST[:PORT]/PATH, without user information; credentials belong in header fields)",
                "otlp: { url: 'http://a/', interval: 999ms } | metrics.otlp.interval: 999ms (expected: >= 1s)",
                "otlp: { url: 'http://a/', timeout: 0 } | metrics.otlp.timeout: 0 (expected: > 0)",
                "otlp: { url: 'http://a/', queue: 1KiB } | metrics.otlp.queue: 1KiB (expected: >= 64KiB)",
                "otlp: { url: 'http://a/', headers: { host: b } } | metrics.otlp.headers.host: host (expected: a header field that the HTTP client does not set itself)",
                "otlp: { url: 'http://a/', headers: { k: \"se\\ncret\" } } | metrics.otlp.headers: *** (expected: only printable ASCII in the value of the header field k)",
                "otlp: { url: 'http://a/', headers: { k: 123456 } } | metrics.otlp.headers.k: *** (expected: text; put it in quotes)",
                "otlp: { url: 'http://a/', tags: {} } | metrics.otlp.tags: unknown key (expected: one of url, interval, attributes, headers, timeout, queue)",
                "opentsdb: { url: 'http://a/', tags: { a: 'b c' } } | metrics.opentsdb.tags.a: b c (expected: letters, digits, '-', '_', '.' and '/')",
                "opentsdb: { url: 'http://a/', tags: { a: a, b: b, c: c, d: d } } | metrics.opentsdb.tags: 4 tags (expected: at most 3)"
            },
            quoteCharacter = '`')
    void refusesInvalidValues(String yaml, String fault) {
        List<String> faults = FaultsTest.faults(LISTENERS + "metrics: { " + yaml + " }\n");
        assertThat(faults).singleElement().asString().endsWith(": " + fault);
    }
}
