package dev.lychgate.server.metrics;

import dev.lychgate.loop.DurationHistogram;
import dev.lychgate.server.metrics.Family.Sample;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A snapshot of all metrics at one moment. Prometheus, JMX, OpenTSDB and OTLP all expose these values. Immutable. */
public final class Figures {
    private static final double[] NO_BOUNDS = {};
    private static final long[] NO_COUNTS = {};

    private final Instant at;
    private final MetricSnapshots rows;
    private final Map<String, RouteCells> routes;

    /** @param routes the exchange counts that {@code rows} contains, by route; must not be modified afterwards */
    Figures(Instant at, MetricSnapshots rows, Map<String, RouteCells> routes) {
        this.at = at;
        this.rows = rows;
        this.routes = routes;
    }

    public Instant at() {
        return at;
    }

    String text(MetricsFormat format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64 << 10);
        try {
            format.writer().write(out, rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Returns all families under their Prometheus names, created anew with each call. */
    public List<Family> families() {
        List<Family> families = new ArrayList<>();
        for (MetricSnapshot rows : rows) {
            Family.Kind kind = kind(rows);
            String name = rows.getMetadata().getPrometheusName();
            List<Sample> samples = new ArrayList<>();
            for (DataPointSnapshot row : rows.getDataPoints()) {
                Sample sample = sample(name, row);
                if (sample != null) {
                    samples.add(sample);
                }
            }
            families.add(new Family(
                    name + suffix(rows, name),
                    kind,
                    String.valueOf(rows.getMetadata().getHelp()),
                    samples));
        }
        return families;
    }

    private static String suffix(MetricSnapshot rows, String name) {
        if (rows instanceof InfoSnapshot) {
            return "_info";
        }
        return rows instanceof CounterSnapshot && !name.endsWith("_total") ? "_total" : "";
    }

    private static Family.Kind kind(MetricSnapshot rows) {
        if (rows instanceof CounterSnapshot) {
            return Family.Kind.COUNTER;
        }
        return rows instanceof GaugeSnapshot || rows instanceof InfoSnapshot
                ? Family.Kind.GAUGE
                : Family.Kind.DISTRIBUTION;
    }

    /** Returns a sample; null for kinds of metrics that neither Lychgate nor Micrometer creates. */
    private @Nullable Sample sample(String family, DataPointSnapshot row) {
        Map<String, String> labels = labels(row.getLabels());
        if (row instanceof CounterDataPointSnapshot counter) {
            return new Sample(labels, counter.getValue(), null);
        }
        if (row instanceof GaugeDataPointSnapshot gauge) {
            return new Sample(labels, gauge.getValue(), null);
        }
        if (row instanceof InfoDataPointSnapshot) {
            return new Sample(labels, 1, null);
        }
        Distribution distribution = null;
        if (row instanceof HistogramDataPointSnapshot histogram && histogram.hasClassicHistogramData()) {
            distribution = distribution(histogram, precise(family, labels));
        } else if (row instanceof SummaryDataPointSnapshot summary) {
            distribution = new Distribution(summary.getCount(), summary.getSum(), NO_BOUNDS, NO_COUNTS, null);
        }
        return distribution == null ? null : new Sample(labels, distribution.count(), distribution);
    }

    /** Returns the durations of one series in narrow buckets; null if the family has no narrow buckets. */
    private @Nullable DurationHistogram precise(String family, Map<String, String> labels) {
        RouteCells cells = family.equals(Meters.DURATIONS) ? routes.get(labels.get(Meters.ROUTE)) : null;
        return cells == null ? null : cells.histogram;
    }

    private static Distribution distribution(
            HistogramDataPointSnapshot histogram, @Nullable DurationHistogram precise) {
        ClassicHistogramBuckets buckets = histogram.getClassicBuckets();
        double[] bounds = new double[buckets.size() - 1];
        long[] counts = new long[buckets.size()];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = buckets.getCount(i);
            if (i < bounds.length) {
                bounds[i] = buckets.getUpperBound(i);
            }
        }
        return new Distribution(histogram.getCount(), histogram.getSum(), bounds, counts, precise);
    }

    private static Map<String, String> labels(Labels labels) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < labels.size(); i++) {
            byName.put(labels.getPrometheusName(i), labels.getValue(i));
        }
        return byName;
    }
}
