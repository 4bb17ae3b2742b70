package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.Propagation;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Loop;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.tracing.TraceContext;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class OpenMetricsTest {
    private static final ScheduledExecutorService THREAD = new DefaultEventLoop();
    private static final String FAMILY = "lychgate_request_duration_seconds";

    private final Set<String> traces = ConcurrentHashMap.newKeySet();

    @AfterAll
    static void stop() {
        THREAD.shutdownNow();
    }

    private static TracingConfig sampling(int percent) {
        return new TracingConfig(
                new SampleRate(percent / 100.0), TracingConfig.Accept.TRUSTED, List.of(Propagation.W3C), "test", null);
    }

    private String scrape(MetricsFormat format, DurationBuckets buckets, TracingConfig tracing) throws Exception {
        try (GatewayMetrics metrics = new GatewayMetrics(buckets);
                ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("hello")));
                Gateway gateway = Gateway.start(
                        Gateways.to(origin.port()).withTracing(tracing),
                        FilterSet.EMPTY,
                        new GuardedObservers(List.of(metrics, new TracesSeen())))) {
            metrics.bind(gateway);
            metrics.counter("odd", "a \\ backslash, a \"quote\" and\na new line", () -> 3, "label", "a\\b\"c\nd,e=f}");
            for (int i = 0; i < 4; i++) {
                // Connections are assigned to the two loops in turn.
                try (RawClient client = RawClient.connect(gateway.address("main"))) {
                    client.get("/api/x");
                    client.get("/nowhere");
                }
            }
            return metrics.scrape(format, THREAD).get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void passesAStrictParser() throws Exception {
        OpenMetricsText text =
                OpenMetricsText.read(scrape(MetricsFormat.OPENMETRICS, DurationBuckets.DEFAULT, sampling(100)));
        assertThat(text.types())
                .containsEntry("lychgate_requests", "counter")
                .containsEntry(FAMILY, "histogram")
                .containsEntry("jvm_gc_collection_seconds", "summary")
                .containsEntry("lychgate_generation", "gauge")
                .containsEntry("lychgate_build", "info")
                .containsEntry("odd", "counter");
        assertThat(text.value(FAMILY + "_count", Map.of("route", "api"))).isEqualTo(4);
        Build build = Build.OF_PROCESS;
        Map<String, String> versions =
                Map.of("version", build.version(), "java_version", build.java(), "netty_version", build.netty());
        assertThat(text.value("lychgate_build_info", versions)).isEqualTo(1);
    }

    @Test
    void marksBucketsWithTheLatestRecordedTrace() throws Exception {
        Instant before = Instant.now();
        OpenMetricsText text =
                OpenMetricsText.read(scrape(MetricsFormat.OPENMETRICS, DurationBuckets.DEFAULT, sampling(100)));
        List<OpenMetricsText.Exemplar> exemplars = text.exemplars();
        assertThat(exemplars).isNotEmpty().allSatisfy(exemplar -> {
            assertThat(exemplar.sample()).isEqualTo(FAMILY + "_bucket");
            assertThat(exemplar.labels()).containsOnlyKeys("trace_id", "span_id");
            assertThat(traces).contains(exemplar.labels().get("trace_id"));
            assertThat(exemplar.labels().get("span_id")).matches("[0-9a-f]{16}");
            assertThat(exemplar.value()).isPositive();
            assertThat(exemplar.time()).isGreaterThanOrEqualTo((double) before.getEpochSecond());
        });
        assertThat(exemplars).extracting(exemplar -> exemplar.of().get("route")).contains("api", "-");
    }

    @Test
    void hasNoExemplarsOfTracesThatAreNotRecorded() throws Exception {
        String text = scrape(MetricsFormat.OPENMETRICS, DurationBuckets.DEFAULT, sampling(0));
        assertThat(OpenMetricsText.read(text).exemplars()).isEmpty();
    }

    @Test
    void leavesThePrometheusFormatWithoutExemplars() throws Exception {
        String text = scrape(MetricsFormat.PROMETHEUS, DurationBuckets.DEFAULT, sampling(100));
        assertThat(PrometheusText.read(text).value(FAMILY + "_count", "route", "api"))
                .isEqualTo(4);
        assertThat(text).doesNotContain("trace_id");
    }

    @Test
    void hasTheConfiguredBoundaries() throws Exception {
        DurationBuckets buckets = new DurationBuckets(List.of(Duration.ofNanos(10_000), Duration.ofMinutes(10)));
        PrometheusText text = PrometheusText.read(scrape(MetricsFormat.PROMETHEUS, buckets, sampling(0)));
        assertThat(bounds(text, FAMILY, "api")).containsExactly("1.0E-5=0.0", "600.0=4.0", "+Inf=4.0");
        assertThat(text.value("lychgate_request_phase_seconds_bucket", "route", "api", "phase", "body", "le", "600.0"))
                .isEqualTo(4);
        assertThat(text.value("lychgate_request_phase_seconds_bucket", "route", "api", "phase", "body", "le", "0.001"))
                .isNaN();
    }

    private static List<String> bounds(PrometheusText text, String family, String route) {
        List<String> found = new ArrayList<>();
        for (String bound : List.of("1.0E-5", "0.001", "600.0", "+Inf")) {
            double value = text.value(family + "_bucket", "route", route, "le", bound);
            if (!Double.isNaN(value)) {
                found.add(bound + "=" + value);
            }
        }
        return found;
    }

    private final class TracesSeen implements ExchangeObserver {
        @Override
        public ExchangeObserver onLoop(Loop loop) {
            return this;
        }

        @Override
        public void onClosed(Exchange exchange) {
            TraceContext trace = exchange.record().trace();
            if (trace != null) {
                traces.add(trace.traceId());
            }
        }
    }
}
