package dev.lychgate.server.metrics;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Loop;
import dev.lychgate.pool.PoolCounters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything the gateway counts, as a Micrometer registry that Prometheus reads. Give it to a gateway as its observer,
 * then {@linkplain #bind bind} it to the gateway; any thread may scrape.
 *
 * <p>A scrape asks every event loop for a copy of its cells and waits for none of them longer than two seconds: a loop
 * that does not answer is shown with what it said last, and counted in {@code lychgate_loops_silent}.
 */
public final class GatewayMetrics implements ExchangeObserver {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ExchangeMeters exchanges = new ExchangeMeters(registry);
    private final PoolMeters pools = new PoolMeters(registry);
    private final EndpointMeters endpoints = new EndpointMeters(registry);
    private final UpstreamMeters upstreams = new UpstreamMeters(registry);
    private final NameMeters names = new NameMeters(registry);
    private final FilterMeters filters = new FilterMeters(registry);
    private final CodingMeters codings = new CodingMeters(registry);
    private final TlsMeters tls = new TlsMeters(registry);
    private final List<LoopCells> loops = new CopyOnWriteArrayList<>();
    private final Map<LoopCells, Map<String, RouteCells>> lastCopies = new ConcurrentHashMap<>();
    private final List<LongSupplier> foreignCounts = new CopyOnWriteArrayList<>();
    private final AtomicLong silentLoops = new AtomicLong();
    private volatile Map<String, PoolCounters> lastPools = Map.of();
    private volatile @Nullable Gateway gateway;

    public GatewayMetrics() {
        MemoryMeters.bind(registry);
        Gauge.builder("lychgate.loops.silent", silentLoops, AtomicLong::get)
                .description("Event loops that did not answer the last scrape in time; their numbers are older ones")
                .register(registry);
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        LoopCells cells = new LoopCells(loop);
        loops.add(cells);
        return cells;
    }

    @Override
    public void onClosed(Exchange exchange) {
        throw new UnsupportedOperationException("ask for the observer of a loop");
    }

    /** Shows the listeners, pools, filters and generation of {@code running} too; call once. */
    public void bind(Gateway running) {
        running.listeners().forEach(listener -> ListenerMeters.bind(registry, listener));
        Gauge.builder("lychgate.generation", running, g -> g.generation().number())
                .description("Number of the generation in use")
                .register(registry);
        gateway = running;
    }

    /** Shows a count that somebody else keeps; it must only grow, and cost little to read. */
    public void counter(String name, String description, LongSupplier count) {
        // Micrometer itself refers to it weakly.
        foreignCounts.add(count);
        FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .register(registry);
    }

    /** Shows a figure that somebody else keeps and that may go down, too; it must cost little to read. */
    public void gauge(String name, String description, LongSupplier figure) {
        foreignCounts.add(figure);
        Gauge.builder(name, figure, LongSupplier::getAsLong)
                .description(description)
                .register(registry);
    }

    /** For meters of the application's own. */
    public MeterRegistry registry() {
        return registry;
    }

    /**
     * Takes the numbers and writes them down in Prometheus' text format 0.0.4.
     *
     * @param renderer where to do the waiting, adding and writing: some milliseconds of work, not for an event loop that
     *     serves traffic
     */
    public CompletableFuture<String> scrape(ScheduledExecutorService renderer) {
        Questions questions = new Questions(renderer);
        AtomicLong silent = new AtomicLong();
        for (LoopCells cells : loops) {
            questions.ask(cells::copy, copy -> lastCopies.put(cells, copy), silent::incrementAndGet);
        }
        Gateway running = gateway;
        if (running != null) {
            questions.ask(running::poolCounters, counters -> lastPools = counters, () -> {});
        }
        return questions.settled(LONGEST_WAIT).thenApply(done -> {
            silentLoops.set(silent.get());
            return write();
        });
    }

    private synchronized String write() {
        exchanges.show(lastCopies.values());
        pools.show(lastPools);
        codings.show();
        Gateway running = gateway;
        if (running != null) {
            exchanges.showUnshed(running.generation());
            upstreams.show(running.generation().upstreams());
            endpoints.show(running.generation().upstreams(), System.nanoTime());
            names.show(running.nameStatuses());
            tls.show(running);
            filters.show(running.generation().filters());
        }
        return registry.scrape();
    }
}
