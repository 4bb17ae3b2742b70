package dev.lychgate.server.metrics;

import dev.lychgate.loop.DurationHistogram;
import dev.lychgate.server.metrics.EarlierLooks.Look;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointOutcomes;
import dev.lychgate.upstream.EndpointOutcomes.Totals;
import dev.lychgate.upstream.Upstream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The attempts of the last seconds, by endpoint, over the same window as {@link RecentTraffic}. Endpoints that are not
 * in the latest generation are omitted. Not thread-safe.
 */
public final class RecentAttempts {
    private final EarlierLooks<Map<EndpointOutcomes, Counts>> earlier = new EarlierLooks<>();

    /**
     * The attempts at one endpoint within the window.
     *
     * @param ended number of attempts that ended with a response or failed because of the endpoint
     * @param failed number of attempts that failed because of the endpoint, including attempts with a 5xx status
     * @param p50 median of the time until the response head or the failure, in seconds; NaN if there were no
     *     attempts
     * @param p99 99th percentile of the time until the response head or the failure, in seconds
     */
    public record OfEndpoint(long ended, long failed, double p50, double p99) {
        static final OfEndpoint NONE = new OfEndpoint(0, 0, Double.NaN, Double.NaN);
    }

    /** @param seconds length of the window; 0 in the first snapshot */
    public record Attempts(double seconds, Map<EndpointOutcomes, OfEndpoint> byEndpoint) {
        public OfEndpoint of(Endpoint endpoint) {
            return byEndpoint.getOrDefault(endpoint.outcomes(), OfEndpoint.NONE);
        }
    }

    /** @param durations the durations since the endpoint was added */
    private record Counts(Totals totals, DurationHistogram durations) {
        static final Counts NONE = new Counts(Totals.NONE, new DurationHistogram());
    }

    /** Reads the counts of all endpoints. Event loops are not involved. */
    public Attempts look(Collection<Upstream> upstreams) {
        Map<EndpointOutcomes, Counts> last = earlier.latest();
        Map<EndpointOutcomes, Counts> counts = new HashMap<>();
        for (Upstream upstream : upstreams) {
            for (Endpoint endpoint : upstream.endpoints()) {
                EndpointOutcomes outcomes = endpoint.outcomes();
                Counts before = last == null ? null : last.get(outcomes);
                Totals totals = outcomes.totals();
                // An idle endpoint shares the histogram of the previous snapshot, so that only busy endpoints take
                // memory.
                counts.put(
                        outcomes,
                        before != null && before.totals.equals(totals)
                                ? before
                                : new Counts(totals, outcomes.durations()));
            }
        }
        Look<Map<EndpointOutcomes, Counts>> now = new Look<>(System.nanoTime(), counts);
        Look<Map<EndpointOutcomes, Counts>> before = earlier.add(now);
        if (before == null) {
            return new Attempts(0, Map.of());
        }
        Map<EndpointOutcomes, OfEndpoint> byEndpoint = new HashMap<>();
        counts.forEach((outcomes, count) ->
                byEndpoint.put(outcomes, difference(count, before.found().getOrDefault(outcomes, Counts.NONE))));
        return new Attempts(now.secondsSince(before), byEndpoint);
    }

    private static OfEndpoint difference(Counts now, Counts past) {
        Totals recent = now.totals.minus(past.totals);
        if (recent.attempts() == 0) {
            return OfEndpoint.NONE;
        }
        DurationHistogram durations = now.durations.since(past.durations);
        return new OfEndpoint(
                recent.attempts(), recent.failed(), durations.percentile(0.5), durations.percentile(0.99));
    }
}
