package dev.lychgate.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * How often each garbage collector has run, and how long that took, as the JVM itself counts it: nobody has to listen, and
 * nothing is missing that was collected before somebody did.
 */
final class CollectionRows implements Collector {
    private static final String NAME = "jvm_gc_collection_seconds";
    private static final String HELP = "Time spent in a garbage collector, by its name";

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();

    @Override
    public MetricSnapshot collect() {
        SummarySnapshot.Builder summary = SummarySnapshot.builder().name(NAME).help(HELP);
        for (GarbageCollectorMXBean collector : collectors) {
            summary.dataPoint(SummaryDataPointSnapshot.builder()
                    .labels(Labels.of("gc", collector.getName()))
                    .count(Math.max(0, collector.getCollectionCount()))
                    .sum(Math.max(0, collector.getCollectionTime()) / 1e3)
                    .build());
        }
        return summary.build();
    }

    @Override
    public MetricFamilyDescriptor getMetricFamilyDescriptor() {
        return MetricFamilyDescriptor.summary(NAME).help(HELP).labelNames("gc").build();
    }
}
