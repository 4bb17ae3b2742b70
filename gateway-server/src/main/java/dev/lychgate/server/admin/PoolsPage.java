package dev.lychgate.server.admin;

import dev.lychgate.pool.CloseReason;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code /pools}: the connections and counters of each endpoint's pools, summed over all event loops. */
final class PoolsPage {
    private record Pool(String upstream, String endpoint, PoolCounters counters) {}

    static final Shape<PoolCounters> COUNTERS = new Shape<PoolCounters>("PoolCounters", "The pools of one endpoint.")
            .integer("idle", "Idle connections.", PoolCounters::idle)
            .integer("busy", "Connections in use.", PoolCounters::busy)
            .integer("connecting", "Connections that are being opened.", PoolCounters::connecting)
            .integer("pending", "Requests that wait for a connection.", PoolCounters::pending)
            .integer("opened", "Connections that were opened.", PoolCounters::created)
            .integer("reused", "Leases of a reused connection.", PoolCounters::reused)
            .integer("connect_failures", "Connects that failed.", PoolCounters::connectFailures)
            .integer(
                    "reclaimed",
                    "Exchanges aborted because their clients stalled while requests waited or memory was short.",
                    PoolCounters::reclaimed)
            .field("closed", Json.map(Json.INTEGER), "Connections that were closed, by reason.", PoolsPage::closed);

    private static final Shape<Pool> POOL = new Shape<Pool>("Pool")
            .text("upstream", "The name of the upstream.", Pool::upstream)
            .text("endpoint", "Host and port.", Pool::endpoint)
            .include(COUNTERS, Pool::counters);

    /** The page: the counters of pools, by {@code upstream/endpoint}. */
    static final Shape<Map<String, PoolCounters>> SHAPE = new Shape<Map<String, PoolCounters>>(
                    "Pools", "The pools, with their connections and counters.")
            .list("pools", POOL, "Every pool, in the order of upstream and endpoint.", PoolsPage::rows);

    private PoolsPage() {}

    private static List<Pool> rows(Map<String, PoolCounters> pools) {
        return new TreeMap<>(pools).entrySet().stream().map(PoolsPage::row).toList();
    }

    private static Pool row(Map.Entry<String, PoolCounters> pool) {
        int slash = pool.getKey().indexOf('/');
        return new Pool(pool.getKey().substring(0, slash), pool.getKey().substring(slash + 1), pool.getValue());
    }

    private static Map<String, Long> closed(PoolCounters pool) {
        Map<String, Long> closed = new LinkedHashMap<>();
        for (CloseReason reason : CloseReason.values()) {
            closed.put(reason.label(), pool.closed().getOrDefault(reason, 0L));
        }
        return closed;
    }
}
