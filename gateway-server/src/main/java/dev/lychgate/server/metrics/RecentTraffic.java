package dev.lychgate.server.metrics;

import dev.lychgate.error.Side;
import dev.lychgate.loop.DurationHistogram;
import dev.lychgate.server.metrics.EarlierLooks.Look;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of the last seconds by route, for clients that poll. Each snapshot is compared with a snapshot that is
 * about ten seconds older. Without calls, this class does no work. Thread-safe.
 */
public final class RecentTraffic {
    /** Supplies the counts by route, summed over all event loops. */
    private final Supplier<CompletableFuture<Map<String, RouteCells>>> cells;

    private final EarlierLooks<Map<String, Counts>> earlier = new EarlierLooks<>();

    /**
     * The traffic of one route.
     *
     * @param route the id of the route; {@code -} for requests without a route
     * @param total number of exchanges since the gateway was started
     * @param recent number of exchanges within the window
     * @param errors number of recent exchanges that failed because of the origin or the gateway, including
     *     exchanges with a 5xx status
     * @param statuses number of recent exchanges by class of status
     * @param p50 median duration of the recent exchanges in seconds, as precise as {@link DurationHistogram}; NaN
     *     if there were none
     * @param p99 99th percentile of the durations of the recent exchanges, in seconds; at most the longest of these
     *     durations
     */
    public record OfRoute(
            String route, long total, long recent, long errors, Map<String, Long> statuses, double p50, double p99) {}

    /** @param seconds length of the window; 0 in the first snapshot, which has nothing to compare with */
    public record Traffic(Instant at, double seconds, List<OfRoute> routes) {}

    /** @param durations the durations of all exchanges since the start */
    private record Counts(long total, long errors, Map<String, Long> statuses, DurationHistogram durations) {
        static final Counts NONE = new Counts(0, 0, Map.of(), new DurationHistogram());

        static Counts of(RouteCells cells) {
            Map<String, Long> statuses = new TreeMap<>();
            long[] sums = new long[2];
            cells.counts((statusClass, error, side, count) -> {
                statuses.merge(Meters.STATUS_CLASSES[statusClass], count, Long::sum);
                sums[0] += count;
                boolean serverError = statusClass == 5 || side != null;
                sums[1] += side != Side.DOWNSTREAM && serverError ? count : 0;
            });
            return new Counts(sums[0], sums[1], statuses, cells.histogram);
        }
    }

    public RecentTraffic(GatewayMetrics metrics) {
        this(metrics::routes);
    }

    private RecentTraffic(Supplier<CompletableFuture<Map<String, RouteCells>>> cells) {
        this.cells = cells;
    }

    /** Returns an object that combines the traffic of all routes in a single route with the id {@code *}. */
    public static RecentTraffic together(GatewayMetrics metrics) {
        return new RecentTraffic(() -> metrics.routes().thenApply(RecentTraffic::merged));
    }

    private static Map<String, RouteCells> merged(Map<String, RouteCells> routes) {
        @Nullable RouteCells sum = null;
        for (RouteCells cells : routes.values()) {
            if (sum == null) {
                sum = cells.copy();
            } else {
                sum.add(cells);
            }
        }
        return sum == null ? Map.of() : Map.of("*", sum);
    }

    /** Takes a snapshot. The future completes on the metrics thread. */
    public CompletableFuture<Traffic> look() {
        return cells.get().thenApply(sums -> {
            Map<String, Counts> routes = new TreeMap<>();
            sums.forEach((route, sum) -> routes.put(route, Counts.of(sum)));
            return compare(new Look<>(System.nanoTime(), routes));
        });
    }

    private synchronized Traffic compare(Look<Map<String, Counts>> now) {
        share(now.found());
        Look<Map<String, Counts>> before = earlier.add(now);
        List<OfRoute> routes = new ArrayList<>();
        now.found().forEach((route, counts) -> {
            Counts past = before == null ? counts : before.found().getOrDefault(route, Counts.NONE);
            routes.add(difference(route, counts, past));
        });
        return new Traffic(Instant.now(), before == null ? 0 : now.secondsSince(before), routes);
    }

    /**
     * Replaces the counts of routes without new traffic by the equal counts of the previous snapshot, so that only busy
     * routes take memory.
     */
    private void share(Map<String, Counts> routes) {
        Map<String, Counts> last = earlier.latest();
        if (last != null) {
            routes.replaceAll((route, counts) -> {
                Counts before = last.get(route);
                return before != null && before.total == counts.total ? before : counts;
            });
        }
    }

    private static OfRoute difference(String route, Counts now, Counts past) {
        Map<String, Long> statuses = new TreeMap<>();
        now.statuses.forEach((status, count) -> {
            long recent = count - past.statuses.getOrDefault(status, 0L);
            if (recent > 0) {
                statuses.put(status, recent);
            }
        });
        DurationHistogram recent = now.durations.since(past.durations);
        double p50 = recent.percentile(0.5);
        double p99 = recent.percentile(0.99);
        return new OfRoute(route, now.total, now.total - past.total, now.errors - past.errors, statuses, p50, p99);
    }
}
