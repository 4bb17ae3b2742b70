package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Sample;
import dev.lychgate.server.otlp.ProtoMessage;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Writes families as messages of OTLP: counters as cumulative sums, gauges as gauges, distributions as cumulative
 * histograms, or as summaries where they have no buckets.
 *
 * @see <a href="https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto">metrics.proto</a>
 */
final class OtlpMetrics {
    private static final int CUMULATIVE = 2;

    private static final int REQUEST_RESOURCE_METRICS = 1;
    private static final int RESOURCE = 1;
    private static final int SCOPE_METRICS = 2;
    private static final int SCOPE = 1;
    private static final int METRICS = 2;
    private static final int ATTRIBUTES_OF_RESOURCE = 1;
    private static final int NAME = 1;
    private static final int DESCRIPTION = 2;
    private static final int UNIT = 3;
    private static final int GAUGE = 5;
    private static final int SUM = 7;
    private static final int HISTOGRAM = 9;
    private static final int SUMMARY = 11;
    private static final int POINTS = 1;
    private static final int TEMPORALITY = 2;
    private static final int MONOTONIC = 3;
    private static final int START = 2;
    private static final int TIME = 3;
    private static final int COUNT = 4;
    private static final int VALUE = 4;
    private static final int SUM_OF_POINT = 5;
    private static final int BUCKETS = 6;
    private static final int BOUNDS = 7;
    private static final int ATTRIBUTES = 7;
    private static final int ATTRIBUTES_OF_HISTOGRAM = 9;

    private final long now;
    private final ToLongFunction<Series> begun;

    /**
     * @param now nanoseconds since 1970
     * @param begun since when a series is counted, likewise
     */
    OtlpMetrics(long now, ToLongFunction<Series> begun) {
        this.now = now;
        this.begun = begun;
    }

    /** An ExportMetricsServiceRequest. @param metrics as {@link #metric} makes them */
    static byte[] request(Map<String, String> resource, String version, List<ProtoMessage> metrics) {
        return new ProtoMessage()
                .message(REQUEST_RESOURCE_METRICS, r -> {
                    r.message(RESOURCE, attributes -> attributes(attributes, ATTRIBUTES_OF_RESOURCE, resource));
                    r.message(SCOPE_METRICS, s -> {
                        s.message(SCOPE, scope -> scope.text(1, "dev.lychgate").text(2, version));
                        metrics.forEach(metric -> s.message(METRICS, metric));
                    });
                })
                .bytes();
    }

    /** A Metric. @param family has at least one sample */
    ProtoMessage metric(Family family) {
        ProtoMessage metric = new ProtoMessage()
                .text(NAME, family.name())
                .text(DESCRIPTION, family.help())
                .text(UNIT, unit(family));
        switch (family.kind()) {
            case COUNTER ->
                metric.message(SUM, sum -> {
                    family.samples().forEach(sample -> sum.message(POINTS, point(family, sample)));
                    sum.integer(TEMPORALITY, CUMULATIVE).flag(MONOTONIC, true);
                });
            case GAUGE ->
                metric.message(GAUGE, gauge -> family.samples().forEach(s -> gauge.message(POINTS, point(family, s))));
            case DISTRIBUTION -> distributions(metric, family);
        }
        return metric;
    }

    /** What the names say, as UCUM writes it. */
    private static String unit(Family family) {
        String name = family.name();
        if (name.endsWith("_seconds") || name.endsWith("_seconds_total")) {
            return "s";
        }
        return name.endsWith("_bytes") || name.endsWith("_bytes_total") ? "By" : "1";
    }

    private ProtoMessage point(Family family, Sample sample) {
        ProtoMessage point = new ProtoMessage();
        if (family.kind() == Family.Kind.COUNTER) {
            point.fixed(START, begun.applyAsLong(Series.of(family, sample)));
        }
        point.fixed(TIME, now).number(VALUE, sample.value());
        return attributes(point, ATTRIBUTES, sample.labels());
    }

    private void distributions(ProtoMessage metric, Family family) {
        boolean buckets = family.samples().stream()
                .anyMatch(s -> s.distribution() != null && s.distribution().hasBuckets());
        metric.message(buckets ? HISTOGRAM : SUMMARY, all -> {
            for (Sample sample : family.samples()) {
                Distribution distribution = sample.distribution();
                if (distribution != null) {
                    ProtoMessage point = new ProtoMessage()
                            .fixed(START, begun.applyAsLong(Series.of(family, sample)))
                            .fixed(TIME, now)
                            .fixed(COUNT, distribution.count())
                            .number(SUM_OF_POINT, distribution.sum());
                    if (buckets) {
                        point.fixeds(BUCKETS, distribution.counts()).numbers(BOUNDS, distribution.bounds());
                    }
                    attributes(point, buckets ? ATTRIBUTES_OF_HISTOGRAM : ATTRIBUTES, sample.labels());
                    all.message(POINTS, point);
                }
            }
            if (buckets) {
                all.integer(TEMPORALITY, CUMULATIVE);
            }
        });
    }

    /** KeyValues whose values are texts. */
    private static ProtoMessage attributes(ProtoMessage to, int field, Map<String, String> attributes) {
        attributes.forEach((name, value) ->
                to.message(field, pair -> pair.text(1, name).message(2, any -> any.text(1, value))));
        return to;
    }
}
