package dev.lychgate.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows histograms of one name that were counted elsewhere. Beside Micrometer and not through it, because its histograms
 * want to be told every single duration, which is what our cells are there to spare. For one thread, but for
 * {@link #collect}.
 */
final class HistogramRows implements Collector {
    private final String name;
    private final String help;
    private final double[] bounds;
    private final String[] labels;
    private List<HistogramDataPointSnapshot> next = new ArrayList<>();
    private volatile List<HistogramDataPointSnapshot> shown = List.of();

    /** @param bounds upper bounds in seconds, the last one infinite */
    HistogramRows(String name, String help, double[] bounds, String... labels) {
        this.name = name;
        this.help = help;
        this.bounds = bounds;
        this.labels = labels;
    }

    /** Upper bounds in nanoseconds as Prometheus wants them: in seconds, and the last one infinite. */
    static double[] seconds(long[] nanos) {
        double[] seconds = new double[nanos.length + 1];
        for (int i = 0; i < nanos.length; i++) {
            seconds[i] = nanos[i] / 1e9;
        }
        seconds[nanos.length] = Double.POSITIVE_INFINITY;
        return seconds;
    }

    /**
     * Sets a histogram, to be shown from the next {@link #show} on.
     *
     * @param counts per bucket, not added up; not to be changed any more
     * @param sum in seconds
     * @param exemplars one per bucket at most
     * @param values of the labels, in their order
     */
    void set(long[] counts, double sum, Exemplars exemplars, String... values) {
        next.add(HistogramDataPointSnapshot.builder()
                .labels(Labels.of(labels, values))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
                .sum(sum)
                .exemplars(exemplars)
                .build());
    }

    /** Shows what has been set since the last call, and nothing else. */
    void show() {
        shown = next;
        next = new ArrayList<>(shown.size());
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder().name(name).help(help);
        shown.forEach(histogram::dataPoint);
        return histogram.build();
    }

    @Override
    public MetricFamilyDescriptor getMetricFamilyDescriptor() {
        return MetricFamilyDescriptor.histogram(name)
                .help(help)
                .labelNames(labels)
                .build();
    }
}
