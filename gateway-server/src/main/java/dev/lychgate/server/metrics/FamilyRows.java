package dev.lychgate.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The series of one family. Beside Micrometer and not through it: its meters are looked up one by one, and its histograms
 * want every single duration, which the cells of the loops are there to spare. Label values are given in the order of their
 * names. For one thread, but for {@link #collect}.
 */
final class FamilyRows implements Collector {
    private final MetricFamilyDescriptor descriptor;
    private final String[] labels;
    private Map<Labels, DataPointSnapshot> next = new LinkedHashMap<>();
    private volatile Collection<DataPointSnapshot> shown = List.of();

    FamilyRows(MetricType type, String name, String help, String... labels) {
        this.descriptor = MetricFamilyDescriptor.of(type, new MetricMetadata(name, help), List.of(labels));
        this.labels = labels;
    }

    /** Sets the value of a counter or gauge, to be shown from the next {@link #show} on. */
    void set(double value, String... values) {
        Labels series = Labels.of(labels, values);
        boolean grows = descriptor.getType() == MetricType.COUNTER;
        next.put(
                series,
                grows
                        ? new CounterDataPointSnapshot(value, series, null, 0)
                        : new GaugeDataPointSnapshot(value, series, null));
    }

    /** As above, of a histogram. */
    void set(DurationCells durations, Exemplars exemplars, String... values) {
        Labels series = Labels.of(labels, values);
        next.put(series, durations.point(series, exemplars));
    }

    /** As above, of a summary. */
    void set(long count, double sum, String... values) {
        Labels series = Labels.of(labels, values);
        next.put(
                series,
                SummaryDataPointSnapshot.builder()
                        .labels(series)
                        .count(count)
                        .sum(sum)
                        .build());
    }

    /** Shows what has been set since the last call, and nothing else. */
    void show() {
        shown = next.values();
        next = new LinkedHashMap<>();
    }

    @Override
    public MetricSnapshot collect() {
        MetricMetadata metadata = descriptor.getMetadata();
        return switch (descriptor.getType()) {
            case COUNTER -> new CounterSnapshot(metadata, points(CounterDataPointSnapshot.class));
            case GAUGE -> new GaugeSnapshot(metadata, points(GaugeDataPointSnapshot.class));
            case SUMMARY -> new SummarySnapshot(metadata, points(SummaryDataPointSnapshot.class));
            default -> new HistogramSnapshot(metadata, points(HistogramDataPointSnapshot.class));
        };
    }

    private <P> List<P> points(Class<P> type) {
        return shown.stream().map(type::cast).toList();
    }

    @Override
    public MetricFamilyDescriptor getMetricFamilyDescriptor() {
        return descriptor;
    }
}
