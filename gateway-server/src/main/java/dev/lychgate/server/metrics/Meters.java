package dev.lychgate.server.metrics;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.pool.PoolCounters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The registry and all that the gateway shows in it. What the loops have copied is put into it on the thread of the metrics;
 * the rest is read whenever somebody asks.
 */
final class Meters {
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ExchangeMeters exchanges;
    private final PoolMeters pools = new PoolMeters(registry);
    private final EndpointMeters endpoints = new EndpointMeters(registry);
    private final UpstreamMeters upstreams = new UpstreamMeters(registry);
    private final NameMeters names = new NameMeters(registry);
    private final FilterMeters filters = new FilterMeters(registry);
    private final CodingMeters codings = new CodingMeters(registry);
    private final TlsMeters tls = new TlsMeters(registry);
    private final LoopMeters lags = new LoopMeters(registry);

    /** Whether the JVM and the process are told of, too. */
    private boolean tellsOfTheProcess;

    /**
     * @param silentLoops how many did not answer the last time
     * @param buckets of the duration histograms of exchanges
     */
    Meters(AtomicLong silentLoops, DurationBuckets buckets) {
        exchanges = new ExchangeMeters(registry, buckets);
        Gauge.builder("lychgate.loops.silent", silentLoops, AtomicLong::get)
                .description("Event loops that did not answer the last scrape in time; their numbers are older ones")
                .register(registry);
    }

    /** Shows the listeners and the generation of a gateway, too. */
    static void bind(MeterRegistry registry, Gateway running) {
        running.listeners().forEach(listener -> ListenerMeters.bind(registry, listener));
        Gauge.builder("lychgate.generation", running, g -> g.generation().number())
                .description("Number of the generation in use")
                .register(registry);
        Gauge.builder(
                        "lychgate.generation.start.time",
                        running,
                        g -> g.generation().since().toEpochMilli() / 1e3)
                .description("When the generation in use was built, in seconds since 1970")
                .baseUnit("seconds")
                .register(registry);
    }

    /** Puts in what there is to be said now. On the thread of the metrics. @param running null before it is bound */
    MetricSnapshots show(
            Map<String, RouteCells> cells,
            Collection<LoopProbe.Findings> findings,
            Map<String, PoolCounters> counters,
            @Nullable Gateway running) {
        if (!tellsOfTheProcess) {
            tellsOfTheProcess = true;
            RuntimeMeters.bind(registry);
        }
        exchanges.show(cells);
        lags.show(findings);
        pools.show(counters);
        codings.show();
        if (running != null) {
            exchanges.showUnshed(running.generation());
            upstreams.show(running.generation().upstreams());
            endpoints.show(running.generation().upstreams(), System.nanoTime());
            names.show(running.nameStatuses());
            tls.show(running);
            filters.show(running.generation().filters());
        }
        return registry.getPrometheusRegistry().scrape();
    }
}
