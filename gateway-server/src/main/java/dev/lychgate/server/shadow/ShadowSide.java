package dev.lychgate.server.shadow;

import dev.lychgate.access.AccessSet;
import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.TraceConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.Worker;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.VirtualLoop;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolLimits;
import dev.lychgate.route.Route;
import dev.lychgate.server.shadow.ShadowTally.Result;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of the two generations of a shadow. Runs copies of requests as real exchanges without sockets, up to the choice
 * of an endpoint. Used only on the thread that created it, except for {@link #placeOf}.
 */
final class ShadowSide {
    /** The maximum time to wait for filters on other threads. */
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(250);

    private final ManualIoEventLoop tasks = new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory());
    private final VirtualLoop loop = new VirtualLoop(tasks);
    private final RunRecorder recorder = new RunRecorder();
    private final Map<String, ParameterPolicy> parameters = new HashMap<>();
    private final ShadowOrigins origins;
    private final Generation generation;
    private final Worker worker;

    /**
     * @param config the settings of the generation
     * @param filters the filters of the generation, which serve no requests
     * @param blocking runs blocking filters
     */
    ShadowSide(GatewayConfig config, FilterSet filters, BlockingThreads blocking) {
        DecidingConfig offline = DecidingConfig.of(config);
        for (ListenerConfig listener : config.listeners()) {
            parameters.put(listener.name(), listener.paths().parameters());
        }
        this.origins = new ShadowOrigins(offline.upstreams());
        this.generation = Generation.first(offline.config(), observed(filters), 1);
        Traffic traffic = Traffic.of(generation);
        LoopPools pools = new LoopPools(loop, origins, new PoolLimits(1));
        this.worker = new Worker(loop, pools, () -> traffic, ExchangeObserver.NONE, blocking);
    }

    /** Returns the request filters, wrapped so that their runs are recorded. */
    private FilterSet observed(FilterSet filters) {
        List<FilterSet.Entry> entries = new ArrayList<>();
        for (FilterSet.Entry entry : filters.entries()) {
            FilterPhase phase = entry.filter().phase();
            if (phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT) {
                String name = entry.use() == null
                        ? entry.filter().name()
                        : entry.use().name();
                entries.add(new FilterSet.Entry(
                        ObservedFilter.of(entry.filter(), name, entry.isGlobal(), recorder),
                        entry.use(),
                        entry.routes(),
                        entry.place()));
            }
        }
        return new FilterSet(entries, Map.of(), TraceConfig.OFF, null, filters.properties(), null, AccessSet.NONE);
    }

    /**
     * Runs a copy.
     *
     * @param seed determines the random choices of routes; equal for both generations
     */
    Decisions run(ShadowedRequest request, long seed) {
        loop.seed(seed);
        RunRecorder.Run run = recorder.next();
        ShadowClient client =
                new ShadowClient(request, parameters.getOrDefault(request.listener(), ParameterPolicy.AUTO));
        Exchange exchange = new Exchange(worker, client, request.id());
        try {
            RequestHead head = request.head().copy();
            HttpHeaders received = head.headers().copy();
            exchange.accept(head);
            // The listener of the client has already accepted the head and changed its fields. The changes of this
            // second acceptance are undone.
            head.headers().clear().add(received);
            exchange.begin();
            return decisions(exchange, run, await(exchange, client, request, run));
        } finally {
            if (!client.isOver()) {
                exchange.onDownstreamClosed(
                        GatewayError.downstream(ErrorKind.CLIENT_GONE, "the copy needs no response"));
            }
            origins.reset();
            tasks.runNow();
        }
    }

    /**
     * Waits until the exchange reaches a decision.
     * @return the reason why the exchange can't reach a decision; null if it has reached one
     */
    private @Nullable Result await(
            Exchange exchange, ShadowClient client, ShadowedRequest request, RunRecorder.Run run) {
        long begin = System.nanoTime();
        while (true) {
            tasks.runNow();
            if (!exchange.record().calls().isEmpty()) {
                return Result.CALL_OUT;
            }
            if (client.isOver() || origins.wanted() != null) {
                return null;
            }
            if (request.hasBody() && run.awaitsBody()) {
                return Result.BODY;
            }
            if (System.nanoTime() - begin > PATIENCE) {
                return Result.TIME;
            }
            tasks.run(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private Decisions decisions(Exchange exchange, RunRecorder.Run run, @Nullable Result undecided) {
        List<Decisions.Step> steps = run.end(
                undecided == Result.CALL_OUT ? "calls out" : undecided == Result.BODY ? "needs the body" : null);
        Route route = exchange.record().route();
        String id = route == null ? null : route.id();
        RequestHead head = exchange.record().requestHead();
        String upstream = undecided == null ? origins.wanted() : null;
        if (undecided != null || head == null) {
            return new Decisions(steps, id, null, null, null, undecided);
        }
        return upstream == null || route == null
                ? new Decisions(steps, id, null, null, answer(exchange), null)
                : new Decisions(steps, id, upstream, route.targetPath(head), null, null);
    }

    private static String answer(Exchange exchange) {
        GatewayError error = exchange.record().error();
        int status = exchange.record().status();
        return error == null ? "" + status : status + " " + error.kind().label();
    }

    /**
     * Describes the code position of the filter that the thread of the shadow runs; null if it runs no filter.
     * Thread-safe.
     */
    @Nullable
    String placeOf(StackTraceElement[] stack) {
        String filter = recorder.current().filter();
        if (filter == null) {
            return null;
        }
        for (FilterSlot slot : generation.filters().slots()) {
            StackTraceElement place = slot.placeIn(stack);
            if (place != null) {
                return filter + " (" + FilterSlot.words(place) + ")";
            }
        }
        return filter;
    }
}
