package dev.lychgate.server.metrics;

import dev.lychgate.pool.CloseReason;
import dev.lychgate.pool.PoolCounters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;

/** The meters of the connection pools, by upstream and endpoint. For one thread. */
final class PoolMeters {
    private final MeterRows connections;
    private final MeterRows pending;
    private final MeterRows created;
    private final MeterRows connectFailures;
    private final MeterRows reused;
    private final MeterRows reclaimed;
    private final MeterRows closed;

    PoolMeters(MeterRegistry registry) {
        connections = rows(
                registry,
                MeterRows.Kind.GAUGE,
                "lychgate.pool.connections",
                "Connections to the endpoint now, by what they do",
                "state");
        pending = rows(
                registry, MeterRows.Kind.GAUGE, "lychgate.pool.pending", "Requests that wait for a connection now");
        created = rows(registry, MeterRows.Kind.COUNTER, "lychgate.pool.opened", "Connections opened");
        connectFailures =
                rows(registry, MeterRows.Kind.COUNTER, "lychgate.pool.connect.failures", "Connects that failed");
        reused = rows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.pool.reused",
                "Requests that were sent on a connection from the pool");
        reclaimed = rows(
                registry,
                MeterRows.Kind.COUNTER,
                "lychgate.pool.reclaimed",
                "Exchanges ended because others waited for what their clients kept waiting, or memory was short");
        closed = rows(
                registry, MeterRows.Kind.COUNTER, "lychgate.pool.closed", "Connections closed, by reason", "reason");
    }

    private static MeterRows rows(
            MeterRegistry registry, MeterRows.Kind kind, String name, String description, String... further) {
        String[] labels = new String[2 + further.length];
        labels[0] = "upstream";
        labels[1] = "endpoint";
        System.arraycopy(further, 0, labels, 2, further.length);
        return new MeterRows(registry, kind, name, null, description, labels);
    }

    /** @param pools by {@code upstream/endpoint} */
    void show(Map<String, PoolCounters> pools) {
        pools.forEach((name, counters) -> {
            int slash = name.indexOf('/');
            show(name.substring(0, slash), name.substring(slash + 1), counters);
        });
        for (MeterRows rows : List.of(connections, pending, created, connectFailures, reused, reclaimed, closed)) {
            rows.removeUntouched();
        }
    }

    private void show(String upstream, String endpoint, PoolCounters counters) {
        connections.set(counters.idle(), upstream, endpoint, "idle");
        connections.set(counters.busy(), upstream, endpoint, "busy");
        connections.set(counters.connecting(), upstream, endpoint, "connecting");
        pending.set(counters.pending(), upstream, endpoint);
        created.set(counters.created(), upstream, endpoint);
        connectFailures.set(counters.connectFailures(), upstream, endpoint);
        reused.set(counters.reused(), upstream, endpoint);
        reclaimed.set(counters.reclaimed(), upstream, endpoint);
        for (CloseReason reason : CloseReason.values()) {
            closed.set(counters.closed().getOrDefault(reason, 0L), upstream, endpoint, reason.label());
        }
    }
}
