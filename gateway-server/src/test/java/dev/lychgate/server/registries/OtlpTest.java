package dev.lychgate.server.registries;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.server.metrics.Family;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The classes that OpenTelemetry generates from its schema parse the received data. */
@Tag("slow")
class OtlpTest {
    private static final Map<String, String> API = Map.of("route", "api");

    private final WireMockServer receiver =
            new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());

    @BeforeEach
    void start() {
        receiver.start();
        receiver.stubFor(post(urlEqualTo("/v1/metrics")).willReturn(aResponse().withStatus(200)));
    }

    @AfterEach
    void stop() {
        receiver.stop();
    }

    private List<ResourceMetrics> received() throws Exception {
        List<ResourceMetrics> all = new ArrayList<>();
        for (var request : receiver.findAll(postRequestedFor(urlEqualTo("/v1/metrics")))) {
            all.addAll(ExportMetricsServiceRequest.parseFrom(request.getBody()).getResourceMetricsList());
        }
        return all;
    }

    /** Returns every metric of that name, in the order of arrival. */
    private List<Metric> metrics(String name) throws Exception {
        return received().stream()
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .filter(metric -> metric.getName().equals(name))
                .toList();
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        Map<String, String> texts = new HashMap<>();
        attributes.forEach(pair -> texts.put(pair.getKey(), pair.getValue().getStringValue()));
        return texts;
    }

    @Test
    void receivesEachKindOfMetricAsSpecified() throws Exception {
        MetricsConfig config = new MetricsConfig(
                false,
                null,
                ShownGateway.everySecond(
                        receiver.port(),
                        "/v1/metrics",
                        Map.of("deployment.environment.name", "test", "service.name", "edge"),
                        Map.of("api-key", "c0ffee")));
        long begun = System.currentTimeMillis() * 1_000_000;
        try (ShownGateway shown = new ShownGateway(config)) {
            shown.get(4);
            Map<String, String> answered = Map.of("route", "api", "status", "2xx", "error", "none", "side", "none");
            eventually(() -> assertThat(metrics("lychgate_requests_total"))
                    .anyMatch(metric -> value(metric.getSum().getDataPointsList(), answered) == 4));
            eventually(() -> assertThat(metrics("lychgate_request_duration_seconds"))
                    .anyMatch(metric -> metric.getHistogram().getDataPointsList().stream()
                            .anyMatch(p -> texts(p.getAttributesList()).equals(API) && p.getCount() == 4)));
            eventually(() -> assertThat(received().size()).isGreaterThanOrEqualTo(2));
            for (Metric metric : metrics("lychgate_requests_total")) {
                assertThat(metric.getSum().getIsMonotonic()).isTrue();
                assertThat(metric.getSum().getAggregationTemporality())
                        .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
                assertThat(metric.getDescription()).isNotBlank();
            }
            Metric durations = last("lychgate_request_duration_seconds");
            assertThat(durations.getUnit()).isEqualTo("s");
            assertThat(durations.getHistogram().getAggregationTemporality())
                    .isEqualTo(AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE);
            HistogramDataPoint point = durations.getHistogram().getDataPointsList().stream()
                    .filter(p -> texts(p.getAttributesList()).equals(API))
                    .findAny()
                    .orElseThrow();
            assertThat(point.getBucketCountsCount()).isEqualTo(point.getExplicitBoundsCount() + 1);
            assertThat(point.getExplicitBoundsList()).isSorted().startsWith(0.001);
            assertThat(point.getBucketCountsList().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(point.getCount());
            assertThat(point.getSum()).isPositive();
            assertThat(point.getStartTimeUnixNano()).isLessThanOrEqualTo(point.getTimeUnixNano());

            Metric generation = last("lychgate_generation");
            assertThat(generation.getGauge().getDataPoints(0).getAsDouble()).isEqualTo(1);
            assertThat(generation.getGauge().getDataPoints(0).getTimeUnixNano()).isGreaterThan(begun);
            SummaryDataPoint collections =
                    last("jvm_gc_collection_seconds").getSummary().getDataPoints(0);
            assertThat(texts(collections.getAttributesList())).containsKey("gc");
            assertThat(collections.getSum()).isNotNegative();
            assertThat(last("lychgate_buffers_bytes").getUnit()).isEqualTo("By");

            // A family may get its first samples after the last export.
            eventually(() -> {
                for (Family family : shown.gateway
                        .metrics()
                        .figures()
                        .get(10, TimeUnit.SECONDS)
                        .families()) {
                    assertThat(metrics(family.name()).isEmpty())
                            .as(family.name())
                            .isEqualTo(family.samples().isEmpty());
                }
            });
        }
        receiver.verify(postRequestedFor(urlEqualTo("/v1/metrics"))
                .withHeader("content-type", equalTo("application/x-protobuf"))
                .withHeader("content-encoding", equalTo("gzip"))
                .withHeader("api-key", equalTo("c0ffee")));
        for (ResourceMetrics each : received()) {
            assertThat(texts(each.getResource().getAttributesList()))
                    .containsEntry("service.name", "edge")
                    .containsEntry("deployment.environment.name", "test")
                    .containsKeys("service.instance.id", "service.version", "host.name");
            assertThat(each.getScopeMetrics(0).getScope().getName()).isEqualTo("dev.lychgate");
        }
    }

    @Test
    void aLaterSeriesStartsAfterTheLastExportWithoutIt() throws Exception {
        MetricsConfig config = new MetricsConfig(
                false, null, ShownGateway.everySecond(receiver.port(), "/v1/metrics", Map.of(), Map.of()));
        try (ShownGateway shown = new ShownGateway(config)) {
            eventually(() -> assertThat(metrics("lychgate_generation")).isNotEmpty());
            long earlier =
                    last("lychgate_generation").getGauge().getDataPoints(0).getTimeUnixNano();
            shown.get(1);
            eventually(() -> assertThat(metrics("lychgate_requests_total")).isNotEmpty());
            NumberDataPoint first =
                    metrics("lychgate_requests_total").get(0).getSum().getDataPoints(0);
            assertThat(first.getStartTimeUnixNano()).isGreaterThanOrEqualTo(earlier);
            int seen = metrics("lychgate_requests_total").size();
            eventually(() -> assertThat(metrics("lychgate_requests_total")).hasSizeGreaterThan(seen));
            assertThat(last("lychgate_requests_total").getSum().getDataPoints(0).getStartTimeUnixNano())
                    .isEqualTo(first.getStartTimeUnixNano());
        }
    }

    private Metric last(String name) throws Exception {
        List<Metric> all = metrics(name);
        return all.get(all.size() - 1);
    }

    private static double value(List<NumberDataPoint> points, Map<String, String> labels) {
        return points.stream()
                .filter(point -> texts(point.getAttributesList()).equals(labels))
                .mapToDouble(NumberDataPoint::getAsDouble)
                .findAny()
                .orElse(Double.NaN);
    }
}
