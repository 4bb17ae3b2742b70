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

/** The cells of one event loop, used only on that loop. They count the exchanges that end there. */
final class LoopCells implements ExchangeObserver {
    /**
     * The label of requests without a route, because no route matched or routing did not start. No route can have this
     * id.
     */
    static final String NO_ROUTE = "-";

    private final Loop loop;
    /** The routes of up to two generations, by identity, so that lookups compare no text. */
    private final IdentityHashMap<Route, RouteCells> byRoute = new IdentityHashMap<>();

    private final Map<String, RouteCells> byId = new HashMap<>();
    private final DurationBuckets buckets;
    private final RouteCells unrouted;
    private final long[] scratch = new long[TimelinePhase.COUNT];
    private long generation;
    private long other;

    LoopCells(Loop loop, DurationBuckets buckets) {
        this.loop = loop;
        this.buckets = buckets;
        this.unrouted = new RouteCells(buckets);
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
            // The lifetime of a tunnel is not a latency: the measured duration is that of the handshake.
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
     * A route's id and its cells outlive a generation; the route object does not. Two generations may be in force, so the routes
     * of two are kept, until an exchange of a third one ends.
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

    /** Adds up the copies of several loops, by id. */
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

    /** Returns a copy of every route's cells, by id. The copy is made on the loop. */
    CompletableFuture<Map<String, RouteCells>> copy() {
        return CompletableFuture.supplyAsync(this::copied, loop.eventLoop());
    }

    /** Returns the final counts of a terminated loop, which no longer runs tasks; null while it runs. Any thread. */
    @Nullable
    Map<String, RouteCells> rest() {
        // The termination happens after all writes of the loop.
        return loop.eventLoop().isTerminated() ? copied() : null;
    }

    private Map<String, RouteCells> copied() {
        Map<String, RouteCells> copy = new HashMap<>();
        byId.forEach((id, cells) -> copy.put(id, cells.copy()));
        copy.put(NO_ROUTE, unrouted.copy());
        return copy;
    }
}
