package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import io.netty.channel.DefaultEventLoop;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hawkular.agent.prometheus.text.TextPrometheusMetricsProcessor;
import org.hawkular.agent.prometheus.types.Counter;
import org.hawkular.agent.prometheus.types.Gauge;
import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.Metric;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.hawkular.agent.prometheus.types.Summary;
import org.hawkular.agent.prometheus.walkers.CollectorPrometheusMetricsWalker;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** An independent parser reads the metrics. */
class PrometheusParserTest {
    private static final ScheduledExecutorService THREAD = new DefaultEventLoop();

    @AfterAll
    static void stop() {
        THREAD.shutdownNow();
    }

    @Test
    void parsesTheWholeScrape() throws Exception {
        String text;
        try (GatewayMetrics metrics = new GatewayMetrics();
                ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
                Gateway gateway = Gateway.start(Gateways.to(origin.port()), FilterSet.EMPTY, metrics)) {
            metrics.bind(gateway);
            metrics.counter("odd", "a \\ backslash, a \"quote\" and\na new line", () -> 3, "label", "a\\b\"c\nd,e=f}");
            try (RawClient client = RawClient.connect(gateway.address("main"))) {
                for (int i = 0; i < 3; i++) {
                    client.get("/api/x");
                }
                client.get("/nowhere");
            }
            text = metrics.scrape(MetricsFormat.PROMETHEUS, THREAD).get(10, TimeUnit.SECONDS);
        }
        List<MetricFamily> families = parse(text);
        assertThat(families)
                .extracting(MetricFamily::getName)
                .contains(
                        "lychgate_requests_total",
                        "lychgate_loop_lag_seconds",
                        "jvm_gc_collection_seconds",
                        "odd_total");
        assertThat(families).hasSize((int)
                text.lines().filter(line -> line.startsWith("# TYPE ")).count());

        Counter answered = (Counter) only(families, "lychgate_requests_total", Map.of("route", "api", "status", "2xx"));
        assertThat(answered.getValue()).isEqualTo(3);
        Histogram durations = (Histogram) only(families, "lychgate_request_duration_seconds", Map.of("route", "api"));
        assertThat(durations.getSampleCount()).isEqualTo(3);
        assertThat(durations.getSampleSum()).isPositive();
        assertThat(durations.getBuckets()).hasSize(DurationBuckets.DEFAULT.count());
        assertThat(durations
                        .getBuckets()
                        .get(DurationBuckets.DEFAULT.count() - 1)
                        .getCumulativeCount())
                .isEqualTo(3);
        Gauge generation = (Gauge) only(families, "lychgate_generation", Map.of());
        assertThat(generation.getValue()).isEqualTo(1);
        assertThat(family(families, "jvm_gc_collection_seconds").getMetrics()).allMatch(Summary.class::isInstance);
        Counter odd = (Counter) only(families, "odd_total", Map.of());
        assertThat(odd.getValue()).isEqualTo(3);
        assertThat(odd.getLabels()).containsKey("label");
    }

    private static List<MetricFamily> parse(String text) {
        CollectorPrometheusMetricsWalker walker = new CollectorPrometheusMetricsWalker();
        new TextPrometheusMetricsProcessor(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), walker)
                .walk();
        return new ArrayList<>(walker.getAllMetricFamilies());
    }

    private static MetricFamily family(List<MetricFamily> families, String name) {
        return families.stream()
                .filter(family -> family.getName().equals(name))
                .findAny()
                .orElseThrow();
    }

    private static Metric only(List<MetricFamily> families, String name, Map<String, String> labels) {
        List<Metric> found = family(families, name).getMetrics().stream()
                .filter(metric -> metric.getLabels().entrySet().containsAll(labels.entrySet()))
                .toList();
        assertThat(found).as(name + labels).hasSize(1);
        return found.get(0);
    }
}
