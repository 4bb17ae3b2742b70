package dev.lychgate.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;

/**
 * The process and its JVM: garbage collection, threads, classes, CPU, descriptors, age; under the names that dashboards
 * know. Held until it is closed, since the JVM tells it of each collection.
 */
final class RuntimeMeters implements AutoCloseable {
    private final JvmGcMetrics collections = new JvmGcMetrics();

    RuntimeMeters(MeterRegistry registry) {
        MemoryMeters.bind(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    @Override
    public void close() {
        collections.close();
    }
}
