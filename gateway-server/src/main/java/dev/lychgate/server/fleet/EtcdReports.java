package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import dev.lychgate.fleet.FleetStore.StoredReport;
import dev.lychgate.server.etcd.EtcdClient;
import dev.lychgate.server.etcd.EtcdException;
import dev.lychgate.server.etcd.EtcdRange;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The reports of nodes in an etcd cluster. Each report renews the lease of its node. The age of a report is the elapsed
 * time of the lease, by the clock of etcd. When the lease ends, etcd deletes the report. Thread-safe.
 */
final class EtcdReports {
    private static final Duration KEPT = Duration.ofDays(1);
    /** The number of reports that are read at the same time. */
    private static final int CONCURRENT = 16;

    private final EtcdClient client;
    private final String nodes;
    /** The lease of this node; null before the first report. Only operations in {@link #last} use it. */
    private @Nullable String lease;

    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private final AtomicLong newest = new AtomicLong();

    EtcdReports(EtcdClient client, String nodes) {
        this.client = client;
        this.nodes = nodes;
    }

    /**
     * Writes a report after all earlier reports are written. A waiting report is omitted if a later report is already
     * in the queue.
     */
    synchronized CompletableFuture<Void> put(String node, byte[] report) {
        String key;
        try {
            key = nodes + FleetNames.name("node", node);
        } catch (FleetException e) {
            return CompletableFuture.failedFuture(e);
        }
        long number = newest.incrementAndGet();
        CompletableFuture<Void> put = last.handle((done, failure) -> number)
                .thenCompose(mine -> mine < newest.get()
                        ? CompletableFuture.<Void>completedFuture(null)
                        : renewed().thenCompose(id -> write(key, report, id)));
        last = put;
        return put;
    }

    private CompletableFuture<String> renewed() {
        String present = lease;
        if (present == null) {
            return granted();
        }
        return client.call("/v3/lease/keepalive", new JsonObject().with("ID", present))
                .thenCompose(response -> {
                    String ttl = response.json().get("result").get("TTL").raw();
                    return ttl.isEmpty() || ttl.equals("0") ? granted() : CompletableFuture.completedFuture(present);
                });
    }

    private CompletableFuture<String> granted() {
        return client.call("/v3/lease/grant", new JsonObject().with("TTL", Long.toString(KEPT.toSeconds())))
                .thenApply(response -> {
                    String id = response.json().get("ID").raw();
                    lease = id;
                    return id;
                });
    }

    private CompletableFuture<Void> write(String key, byte[] report, String id) {
        JsonObject body = new JsonObject()
                .with("key", EtcdRange.encoded(key))
                .with("value", EtcdRange.encoded(report))
                .with("lease", id);
        return client.call("/v3/kv/put", body).handle((done, failure) -> {
            if (failure != null) {
                // The lease is lost, for example because the store was restored from a backup. The next report requests
                // another lease.
                lease = null;
                throw new CompletionException(EtcdStore.fleet(failure));
            }
            return null;
        });
    }

    /**
     * Reads the reports of all nodes. Only a few reads run at the same time, so that oversized values cannot fill the
     * memory.
     */
    CompletableFuture<List<StoredReport>> all() {
        JsonObject body = EtcdRange.of(nodes)
                .json()
                .with("keys_only", true)
                .with("limit", Integer.toString(FleetStore.MOST_REPORTS));
        return client.call("/v3/kv/range", body)
                .thenCompose(response -> collect(response.json().list("kvs"), 0, new ArrayList<>()));
    }

    private CompletableFuture<List<StoredReport>> collect(List<JsonValue> keys, int begin, List<StoredReport> found) {
        if (begin >= keys.size()) {
            found.sort(Comparator.comparing(StoredReport::node));
            return CompletableFuture.completedFuture(found);
        }
        List<CompletableFuture<@Nullable StoredReport>> some =
                keys.subList(begin, Math.min(keys.size(), begin + CONCURRENT)).stream()
                        .map(this::one)
                        .toList();
        return CompletableFuture.allOf(some.toArray(CompletableFuture[]::new)).thenCompose(done -> {
            for (CompletableFuture<@Nullable StoredReport> each : some) {
                StoredReport report = each.join();
                if (report != null) {
                    found.add(report);
                }
            }
            return collect(keys, begin + CONCURRENT, found);
        });
    }

    /** Reads a report. Returns null if it was deleted meanwhile, or if it is not the report of a node. */
    private CompletableFuture<@Nullable StoredReport> one(JsonValue listed) {
        return client.call(
                        "/v3/kv/range",
                        new JsonObject().with("key", listed.get("key").raw()))
                .thenCompose(response -> {
                    List<JsonValue> kvs = response.json().list("kvs");
                    if (kvs.isEmpty()) {
                        return CompletableFuture.<@Nullable StoredReport>completedFuture(null);
                    }
                    JsonValue kv = kvs.get(0);
                    return age(kv.get("lease").raw()).thenApply(age -> report(kv, age));
                });
    }

    private @Nullable StoredReport report(JsonValue kv, Duration age) {
        try {
            String key = new String(EtcdRange.decoded(kv, "key"), StandardCharsets.UTF_8);
            String node = FleetNames.name("node", key.substring(Math.min(nodes.length(), key.length())));
            return new StoredReport(node, EtcdStore.value(kv, "the report of " + node, FleetStore.LARGEST_REPORT), age);
        } catch (FleetException | EtcdException e) {
            // The value is malformed. Any process that can write to the store can write a malformed value.
            return null;
        }
    }

    /**
     * Returns the elapsed part of a lease, which is the age of a report. Nodes write every report with a lease, so a
     * report without a lease gets the maximum age.
     */
    private CompletableFuture<Duration> age(String id) {
        if (!id.matches("[0-9]{1,19}")) {
            return CompletableFuture.completedFuture(KEPT);
        }
        return client.call("/v3/lease/timetolive", new JsonObject().with("ID", id))
                .handle((response, failure) -> {
                    if (failure != null) {
                        EtcdException reason = cause(failure);
                        if (reason != null && reason.kind() == EtcdException.Kind.NO_LEASE) {
                            return KEPT;
                        }
                        throw new CompletionException(failure);
                    }
                    long granted = number(response.json(), "grantedTTL");
                    long left = number(response.json(), "TTL");
                    return Duration.ofSeconds(Math.max(0, granted - Math.max(0, left)));
                });
    }

    private static @Nullable EtcdException cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof EtcdException etcd ? etcd : null;
    }

    private static long number(JsonValue json, String name) {
        String text = json.get(name).raw();
        return text.matches("-?[0-9]{1,15}") ? Long.parseLong(text) : 0;
    }
}
