package dev.lychgate.server.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.Collection;

/** The meters of the event loops, by index. For one thread. */
final class LoopMeters {
    private final HistogramRows lag = new HistogramRows(
            "lychgate_loop_lag_seconds",
            "How late tasks of an event loop run that are due ten times a second",
            DurationBuckets.DEFAULT.seconds(),
            "loop");

    private final MeterRows tasks;

    LoopMeters(PrometheusMeterRegistry registry) {
        registry.getPrometheusRegistry().register(lag);
        tasks = new MeterRows(
                registry, MeterRows.Kind.GAUGE, "lychgate.loop.tasks", null, "Tasks that wait for the loop", "loop");
    }

    void show(Collection<LoopProbe.Findings> loops) {
        for (LoopProbe.Findings found : loops) {
            String loop = Integer.toString(found.loop());
            lag.set(found.lags(), found.lagSeconds(), Exemplars.EMPTY, loop);
            tasks.set(found.tasks(), loop);
        }
        lag.show();
    }
}
