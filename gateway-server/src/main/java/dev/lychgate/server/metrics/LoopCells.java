package dev.lychgate.server.metrics;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.TimelinePhase;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Route;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Counts the exchanges that end on one event loop. Only that event loop uses this object. */
final class LoopCells implements ExchangeObserver {
    /**
     * The label of requests that have no route, because no route matched or the exchange ended before routing. No route
     * can have this id.
     */
    static final String NO_ROUTE = "-";

    private final Loop loop;
    /**
     * The counts for the route objects of up to two generations. Route objects are compared by identity, so that
     * lookups compare no text.
     */
    private final IdentityHashMap<Route, RouteCells> byRoute = new IdentityHashMap<>();

    private final Map<String, RouteCells> byId = new HashMap<>();
    private DurationBuckets buckets;
    private final RouteCells unrouted;
    private final long[] scratch = new long[TimelinePhase.COUNT];
    private long generation;
    private long other;

    LoopCells(Loop loop, DurationBuckets buckets) {
        this.loop = loop;
        this.buckets = buckets;
        this.unrouted = new RouteCells(buckets);
    }

    /** Begins new histograms, on the event loop. */
    void use(DurationBuckets changed) {
        loop.onLoop(() -> {
            buckets = changed;
            unrouted.use(changed);
            byId.values().forEach(cells -> cells.use(changed));
        });
    }

    @Override
    public void onTunnel(Exchange exchange) {
        of(exchange).tunnels(exchange.record().downstream().listener()).opened++;
    }

    @Override
    public void onClosed(Exchange exchange) {
        RouteCells cells = of(exchange);
        ExchangeRecord record = exchange.record();
        TunnelEnd end = record.tunnelEnd();
        if (end == null) {
            cells.count(record, record.timeline().total(), record.trace());
            record.timeline().times(scratch);
            cells.countPhases(scratch);
        } else {
            // The lifetime of a tunnel is not a latency, so the duration of its handshake is counted instead.
            cells.count(record, record.timeline().firstByte(), record.trace());
            cells.tunnels(record.downstream().listener()).end(end);
        }
    }

    private RouteCells of(Exchange exchange) {
        Route route = exchange.record().route();
        if (route == null) {
            return unrouted;
        }
        RouteCells known = byRoute.get(route);
        return known != null ? known : adopt(route, exchange.record().generation());
    }

    /**
     * Returns the cells for a new route object. Routes of all generations that have the same id share their cells. Two
     * generations may be in force at once. Therefore, the route objects of two generations are kept until an exchange
     * of a third generation ends.
     */
    private RouteCells adopt(Route route, Generation of) {
        RouteCells cells = byId.computeIfAbsent(route.id(), id -> new RouteCells(buckets));
        long number = of.number();
        if (number != generation && number != other) {
            other = generation;
            generation = number;
            byRoute.clear();
        }
        byRoute.put(route, cells);
        return cells;
    }

    /** Adds up the counts of several event loops, by the id of the route. */
    static Map<String, RouteCells> sum(Iterable<Map<String, RouteCells>> loops) {
        Map<String, RouteCells> sums = new TreeMap<>();
        for (Map<String, RouteCells> loop : loops) {
            loop.forEach((route, cells) -> {
                RouteCells sum = sums.get(route);
                if (sum == null) {
                    sums.put(route, cells.copy());
                } else {
                    sum.add(cells);
                }
            });
        }
        return sums;
    }

    /** Returns a copy of the counts of each route, by the id of the route. The event loop makes the copy. */
    CompletableFuture<Map<String, RouteCells>> copy() {
        return CompletableFuture.supplyAsync(this::copied, loop.eventLoop());
    }

    /**
     * Returns the final counts of a terminated loop, which no longer runs tasks; null while the loop runs. May be
     * called on any thread.
     */
    @Nullable
    Map<String, RouteCells> rest() {
        // All writes of the loop happen before its termination, so they are visible here.
        return loop.eventLoop().isTerminated() ? copied() : null;
    }

    private Map<String, RouteCells> copied() {
        Map<String, RouteCells> copy = new HashMap<>();
        byId.forEach((id, cells) -> copy.put(id, cells.copy()));
        copy.put(NO_ROUTE, unrouted.copy());
        return copy;
    }
}
