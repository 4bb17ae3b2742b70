package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Family.Sample;
import dev.lychgate.server.metrics.Figures;
import dev.lychgate.server.otlp.OtlpRequest;
import dev.lychgate.server.otlp.ProtoMessage;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.Sender;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Writes snapshots as OTLP requests: counters as cumulative sums, gauges as gauges, distributions as cumulative
 * histograms, or as summaries if they have no buckets. Not thread-safe.
 *
 * @see <a
 *     href="https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto">metrics.proto</a>
 */
final class OtlpWriter implements BiConsumer<Figures, HttpPush> {
    private static final int LARGE_ENOUGH = 256 << 10;
    private static final int CUMULATIVE = 2;
    /** Field numbers of a Metric. */
    private static final int GAUGE = 5;

    private static final int SUM = 7;
    private static final int HISTOGRAM = 9;
    private static final int SUMMARY = 11;
    /** Field numbers of the messages Gauge, Sum, Histogram and Summary. */
    private static final int POINTS = 1;

    private static final int TEMPORALITY = 2;
    private static final int MONOTONIC = 3;
    /** Field numbers of a data point. */
    private static final int START = 2;

    private static final int TIME = 3;
    private static final int COUNT = 4;
    private static final int VALUE = 4;
    private static final int SUM_OF_POINT = 5;
    private static final int BUCKETS = 6;
    private static final int BOUNDS = 7;
    private static final int ATTRIBUTES = 7;
    private static final int ATTRIBUTES_OF_HISTOGRAM = 9;

    private final Map<String, String> resource;
    private final String version;
    private Map<Series, Long> begun = new HashMap<>();
    private Map<Series, Long> still = new HashMap<>();
    private long before = nanos(Instant.now());
    private long now = before;

    /** @param attributes the attributes of the resource; they override the attributes of the sender */
    OtlpWriter(Sender sender, Map<String, String> attributes) {
        this.version = sender.version();
        this.resource = sender.resource("lychgate");
        resource.putAll(attributes);
    }

    @Override
    public void accept(Figures figures, HttpPush push) {
        now = nanos(figures.at());
        still = new HashMap<>();
        List<ProtoMessage> metrics = new ArrayList<>();
        int bytes = 0;
        int points = 0;
        for (Family family : figures.families()) {
            if (!family.samples().isEmpty()) {
                ProtoMessage metric = metric(family);
                metrics.add(metric);
                bytes += metric.size();
                points += family.samples().size();
            }
            if (bytes > LARGE_ENOUGH) {
                push.offer(OtlpRequest.of(resource, version, metrics), points);
                metrics.clear();
                bytes = 0;
                points = 0;
            }
        }
        if (points > 0) {
            push.offer(OtlpRequest.of(resource, version, metrics), points);
        }
        begun = still;
        before = now;
    }

    /**
     * Returns the start time of a series. If the last snapshot does not contain the series, the result is the time of
     * that snapshot.
     */
    private long start(Family family, Sample sample) {
        return still.computeIfAbsent(Series.of(family, sample), series -> begun.getOrDefault(series, before));
    }

    /**
     * Returns a Metric.
     *
     * @param family a family with at least one sample
     */
    private ProtoMessage metric(Family family) {
        boolean buckets = family.samples().stream()
                .anyMatch(s -> s.distribution() != null && s.distribution().hasBuckets());
        ProtoMessage points = new ProtoMessage();
        family.samples().forEach(sample -> points.message(POINTS, point(family, sample, buckets)));
        if (family.kind() == Family.Kind.COUNTER || buckets) {
            points.integer(TEMPORALITY, CUMULATIVE);
        }
        int type = switch (family.kind()) {
            case COUNTER -> SUM;
            case GAUGE -> GAUGE;
            case DISTRIBUTION -> buckets ? HISTOGRAM : SUMMARY;
        };
        if (type == SUM) {
            points.flag(MONOTONIC, true);
        }
        return new ProtoMessage()
                .text(1, family.name())
                .text(2, family.help())
                .text(3, unit(family.name()))
                .message(type, points);
    }

    private ProtoMessage point(Family family, Sample sample, boolean buckets) {
        ProtoMessage point = new ProtoMessage();
        if (family.kind() != Family.Kind.GAUGE) {
            point.fixed(START, start(family, sample));
        }
        point.fixed(TIME, now);
        Distribution distribution = sample.distribution();
        if (distribution == null) {
            point.number(VALUE, sample.value());
        } else {
            point.fixed(COUNT, distribution.count()).number(SUM_OF_POINT, distribution.sum());
            if (buckets) {
                point.fixeds(BUCKETS, distribution.counts()).numbers(BOUNDS, distribution.bounds());
            }
        }
        int attributes = buckets ? ATTRIBUTES_OF_HISTOGRAM : ATTRIBUTES;
        sample.labels().forEach((name, value) -> point.attribute(attributes, name, value));
        return point;
    }

    /** Returns the UCUM unit that the name of a metric implies. */
    private static String unit(String name) {
        if (name.endsWith("_seconds") || name.endsWith("_seconds_total")) {
            return "s";
        }
        return name.endsWith("_bytes") || name.endsWith("_bytes_total") ? "By" : "1";
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
