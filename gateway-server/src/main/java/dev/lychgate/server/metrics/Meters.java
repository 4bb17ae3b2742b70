package dev.lychgate.server.metrics;

import static dev.lychgate.server.metrics.Families.each;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.metrics.Families.Group;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The registry and all families that the gateway exposes in it. Each snapshot reads the families on the metrics thread.
 * JVM metrics have the names that common dashboards use.
 */
final class Meters {
    /** Labels of status classes, by their index in {@link RouteCells}. */
    static final String[] STATUS_CLASSES = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};
    /** The name of the metric family with precise percentiles, which are computed from {@link RouteCells#histogram}. */
    static final String DURATIONS = "lychgate_request_duration_seconds";

    static final String ROUTE = "route";

    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Families families = new Families(registry.getPrometheusRegistry());
    private final Group<Build> build = families.<Build>group(
                    "lychgate_build", "version", "java_version", "netty_version")
            .info("The versions of the gateway and its platform");
    private final GatewayFamilies gateway = new GatewayFamilies(families);
    private final FilterStateFamilies filters = new FilterStateFamilies(families);
    private final RolloutFamilies rollouts = new RolloutFamilies(families);
    private final FleetFamilies fleet = new FleetFamilies(families);
    private final MirrorFamilies mirrors = new MirrorFamilies(families);
    private final RateLimitFamilies rateLimits = new RateLimitFamilies(families);
    private final ClientFamilies clients = new ClientFamilies(families);
    private final AuthenticationFamilies authentications = new AuthenticationFamilies(families);
    private final OverloadFamilies overload = new OverloadFamilies(families);
    private final CacheFamilies caches = new CacheFamilies(families);
    /** Whether the metrics of the JVM and the process have been added. */
    private boolean showsProcess;

    private final Group<RouteCells> routes = families.<RouteCells>group("lychgate_", ROUTE)
            .counter(
                    "requests{status, error, side}",
                    "Exchanges that ended, by route, class of the status, and error",
                    (route, row) -> route.counts((statusClass, error, side, count) -> row.set(
                            count,
                            STATUS_CLASSES[statusClass],
                            error == null ? "none" : error.label(),
                            side == null ? "none" : side.label())))
            .histogram(
                    "request_duration_seconds",
                    "From the request head to the last byte of the response, by route",
                    (route, row) -> row.set(route.durations, route.exemplars()))
            .histogram(
                    "request_phase_seconds{phase}",
                    "Durations of the phases of exchanges, by route and phase",
                    Meters::readPhases)
            .counter(
                    "request_bytes",
                    "Bytes of request bodies that were received, without framing",
                    route -> route.requestBytes)
            .counter(
                    "response_bytes",
                    "Bytes of response bodies that were written, without framing",
                    route -> route.responseBytes)
            .counter(
                    "on_failure{action, reason}",
                    "Actions after a failure of a route's upstream, by error",
                    (route, row) -> route.remedies((remedy, reason, count) -> row.set(count, remedy.label(), reason)))
            .counter(
                    "faults_injected{fault, kind}",
                    "Effects of faults that were injected for rehearsals",
                    (route, row) -> route.faults((fault, kind, count) -> row.set(count, fault, kind.label())))
            .gauge(
                    "websockets{listener}",
                    "WebSockets open now",
                    (route, row) -> route.tunnels((listener, tunnels) -> row.set(tunnels.open(), listener)))
            .counter(
                    "websockets_ended{listener, reason}",
                    "WebSockets that ended, by reason",
                    (route, row) -> route.tunnels((listener, tunnels) ->
                            tunnels.ended.forEach((end, count) -> row.set(count, listener, end.label()))));

    private final Group<Shed> shed = families.<Shed>group("lychgate_", ROUTE)
            .counter(
                    "shed{priority}",
                    "Requests shed because the gateway was overloaded, by priority",
                    (shed, row) -> row.set(shed.count, Integer.toString(shed.priority)));

    private final Group<LoopProbe.Findings> loops = families.<LoopProbe.Findings>group("lychgate_loop_", "loop")
            .histogram(
                    "lag_seconds",
                    "Delay of tasks of an event loop that are due ten times a second",
                    (loop, row) -> row.set(loop.lags(), Exemplars.EMPTY))
            .gauge("tasks", "Queued tasks of the loop", LoopProbe.Findings::tasks);

    private final Group<PoolCounters> pools = families.<PoolCounters>group("lychgate_pool_", "upstream", "endpoint")
            .gauge("connections{state}", "Connections to the endpoint now, by state", (pool, row) -> {
                row.set(pool.idle(), "idle");
                row.set(pool.busy(), "busy");
                row.set(pool.connecting(), "connecting");
            })
            .gauge("pending", "Requests that wait for a connection now", PoolCounters::pending)
            .counter("opened", "Connections opened", PoolCounters::created)
            .counter("connect_failures", "Connects that failed", PoolCounters::connectFailures)
            .counter("reused", "Requests that were sent on a connection from the pool", PoolCounters::reused)
            .counter(
                    "reclaimed",
                    "Exchanges aborted because their clients stalled while others waited, or memory was short",
                    PoolCounters::reclaimed)
            .counter(
                    "closed{reason}",
                    "Connections closed, by reason",
                    each(
                            CloseReason.values(),
                            CloseReason::label,
                            (pool, reason) -> pool.closed().getOrDefault(reason, 0L)));

    private final Group<ContentCoding> codings = families.<ContentCoding>group("lychgate_", "coding")
            .counter(
                    "compressed_bytes{form}",
                    "Bytes of compressed bodies, before and after the compression",
                    (coding, row) -> readCoded(coding, CodingCounters.ENCODED, row))
            .counter(
                    "decompressed_bytes{form}",
                    "Bytes of decompressed bodies, before and after the decompression",
                    (coding, row) -> readCoded(coding, CodingCounters.DECODED, row));

    private final Group<MemoryBudget> process = families.<MemoryBudget>group("lychgate_")
            .counter(
                    "decompression_refused{reason}",
                    "Bodies that were not decompressed, or were decompressed only in part",
                    each(
                            CodingCounters.Refusal.values(),
                            Families::word,
                            (process, why) -> CodingCounters.DECODED.refusals(why)))
            .counter(
                    "compression_skipped",
                    "Bodies that were not compressed because memory was short",
                    process -> CodingCounters.ENCODED.skipped())
            .gauge(
                    "buffers_bytes{area, state}",
                    "Bytes that Netty's buffer pool has reserved, and bytes of the pool in use",
                    (process, row) -> readBuffers(PooledByteBufAllocator.DEFAULT, row))
            .counter(
                    "buffers_refused",
                    "Connections closed because no direct memory was left",
                    process -> Headroom.refused())
            .gauge("memory_unfinished_bytes", "Memory of messages that are not complete", MemoryBudget::held)
            .counter(
                    "memory_reclaimed",
                    "Unfinished messages aborted because their memory was needed",
                    MemoryBudget::reclaimed)
            .counter(
                    "memory_refused",
                    "Messages refused because the memory budget was exhausted",
                    MemoryBudget::refused);

    private final Group<GarbageCollectorMXBean> collectors = families.<GarbageCollectorMXBean>group("jvm_gc_", "gc")
            .summary(
                    "collection_seconds",
                    "Time spent in a garbage collector, by its name",
                    gc -> Math.max(0, gc.getCollectionCount()),
                    gc -> Math.max(0, gc.getCollectionTime()) / 1e3);

    private final Group<Integer> silentLoops = families.<Integer>group("lychgate_")
            .gauge(
                    "loops_silent",
                    "Event loops that did not respond to the last scrape in time; their values come from an earlier"
                            + " scrape",
                    silent -> silent);

    private record Shed(long count, int priority) {}

    /** Reads the phases of a route. Omits phases that no exchange has reached. */
    private static void readPhases(RouteCells route, Families.Row row) {
        for (TimelinePhase phase : TimelinePhase.all()) {
            DurationCells cells = route.phases[phase.index()];
            if (!cells.isEmpty()) {
                row.set(cells, Exemplars.EMPTY, phase.label());
            }
        }
    }

    private static void readCoded(ContentCoding coding, CodingCounters counters, Families.Row row) {
        row.set(counters.plain(coding), "plain");
        row.set(counters.coded(coding), "coded");
    }

    /**
     * Reads the values of the allocator that all traffic uses. The JVM's counters may not include the memory of this
     * allocator.
     */
    private static void readBuffers(PooledByteBufAllocator pool, Families.Row row) {
        row.set(pool.metric().usedDirectMemory(), "direct", "reserved");
        row.set(pool.pinnedDirectMemory(), "direct", "pinned");
        row.set(pool.metric().usedHeapMemory(), "heap", "reserved");
        row.set(pool.pinnedHeapMemory(), "heap", "pinned");
    }

    /**
     * Reads all current values. To be called on the metrics thread.
     *
     * @param running the gateway; null before it is bound
     * @param state the instruments of filters; null without a filter directory
     * @param rollouts null if the gateway watches no files
     * @param release null if the gateway belongs to no fleet
     * @param mirrored the counts of mirrors; empty if no request was copied
     */
    MetricSnapshots show(
            Map<String, RouteCells> cells,
            Collection<LoopProbe.Findings> findings,
            int silent,
            Map<String, PoolCounters> counters,
            @Nullable Gateway running,
            @Nullable SharedState state,
            @Nullable RolloutFigures rollouts,
            @Nullable NodeRelease release,
            MirrorTallies mirrored) {
        if (!showsProcess) {
            showsProcess = true;
            new JvmMemoryMetrics().bindTo(registry);
            new JvmThreadMetrics().bindTo(registry);
            new ClassLoaderMetrics().bindTo(registry);
            new ProcessorMetrics().bindTo(registry);
            new FileDescriptorMetrics().bindTo(registry);
            new UptimeMetrics().bindTo(registry);
        }
        Build own = Build.OF_PROCESS;
        build.read(own, own.version(), own.java(), own.netty());
        process.read(MemoryBudget.OF_PROCESS);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(gc -> collectors.read(gc, gc.getName()));
        for (ContentCoding coding : ContentCoding.values()) {
            codings.read(coding, coding.token());
        }
        silentLoops.read(silent);
        findings.forEach(loop -> loops.read(loop, Integer.toString(loop.loop())));
        counters.forEach((name, pool) -> {
            int slash = name.indexOf('/');
            pools.read(pool, name.substring(0, slash), name.substring(slash + 1));
        });
        if (running != null) {
            gateway.read(running);
            if (state != null) {
                filters.read(state);
            }
            if (rollouts != null) {
                this.rollouts.read(rollouts);
            }
            if (release != null) {
                fleet.read(release);
            }
            mirrors.read(mirrored);
            rateLimits.read(running.generation().rateLimits());
            caches.read(running.generation().caches());
            clients.read(running.generation().clients());
            authentications.read(running.generation().filters().authentications());
            overload.read(running.generation().overload());
            readUnshed(running.generation().config());
        }
        cells.forEach((route, its) -> {
            routes.read(its, route);
            for (int priority = 0; priority <= RouteResilience.HIGHEST_PRIORITY; priority++) {
                if (its.shed(priority) > 0) {
                    shed.read(new Shed(its.shed(priority), priority), route);
                }
            }
        });
        families.show();
        return registry.getPrometheusRegistry().scrape();
    }

    /**
     * Exposes zeros for routes that have shed no request. A counter that first appears with the value 1 would have no
     * rate.
     */
    private void readUnshed(GatewayConfig config) {
        for (RouteConfig route : config.overload() == null ? List.<RouteConfig>of() : config.routes()) {
            int priority = route.resilience().priority();
            if (route.action() instanceof RouteAction.Proxy && priority < RouteResilience.HIGHEST_PRIORITY) {
                shed.read(new Shed(0, priority), route.id());
            }
        }
    }
}
