package dev.lychgate.server.metrics;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * The process and its JVM: memory, garbage collection, threads, classes, CPU, descriptors, age; under the names that
 * dashboards know. All of it is read when somebody asks.
 */
final class RuntimeMeters {
    private RuntimeMeters() {}

    static void bind(PrometheusMeterRegistry registry) {
        MemoryMeters.bind(registry);
        registry.getPrometheusRegistry().register(new CollectionRows());
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }
}
