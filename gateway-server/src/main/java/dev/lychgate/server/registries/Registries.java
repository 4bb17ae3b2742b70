package dev.lychgate.server.registries;

import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import dev.lychgate.server.metrics.GatewayMetrics;
import dev.lychgate.server.push.Sender;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Everywhere that a gateway's figures are shown, beside its admin listener. */
public final class Registries implements AutoCloseable {
    private final List<AutoCloseable> all = new ArrayList<>();

    private Registries() {}

    /** Begins to show what {@code metrics} count. */
    public static Registries start(MetricsConfig config, Supplier<Sender> sender, GatewayMetrics metrics) {
        Registries registries = new Registries();
        if (config.jmx()) {
            registries.all.add(JmxRegistry.start(metrics));
        }
        MetricsPush opentsdb = config.opentsdb();
        if (opentsdb != null) {
            registries.all.add(PushingRegistry.start(
                    "opentsdb",
                    opentsdb,
                    "application/json",
                    false,
                    metrics,
                    new OpenTsdbWriter(sender.get(), opentsdb.labels())));
        }
        MetricsPush otlp = config.otlp();
        if (otlp != null) {
            registries.all.add(PushingRegistry.start(
                    "otlp",
                    otlp,
                    "application/x-protobuf",
                    true,
                    metrics,
                    new OtlpWriter(sender.get(), otlp.labels())));
        }
        return registries;
    }

    /** Sends the last figures to whoever takes them, and stops; within seconds, though receivers don't answer. */
    @Override
    public void close() {
        for (AutoCloseable each : all) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("a registry does not close", e);
            }
        }
    }
}
