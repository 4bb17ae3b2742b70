package dev.lychgate.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;

/**
 * Shows the durations of all routes as one Prometheus histogram. Beside Micrometer and not through it, because its
 * histograms want to be told every single duration, which is what our cells are there to spare.
 */
final class DurationHistogram implements Collector {
    private static final String NAME = "lychgate_request_duration_seconds";
    private static final String HELP = "From the request head to the last byte of the answer, by route";
    private static final double[] BOUNDS = DurationBuckets.seconds();

    private volatile Map<String, RouteCells> totals = Map.of();

    /** @param sums by route; not to be changed any more */
    void show(Map<String, RouteCells> sums) {
        totals = sums;
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder().name(NAME).help(HELP);
        totals.forEach((route, cells) -> histogram.dataPoint(HistogramDataPointSnapshot.builder()
                .labels(Labels.of("route", route))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, cells.durations()))
                .sum(cells.durationSeconds())
                .build()));
        return histogram.build();
    }

    @Override
    public MetricFamilyDescriptor getMetricFamilyDescriptor() {
        return MetricFamilyDescriptor.histogram(NAME)
                .help(HELP)
                .labelNames("route")
                .build();
    }
}
