package dev.lychgate.generation;

import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.origin.SilenceLimits;
import dev.lychgate.upstream.Subset;
import dev.lychgate.upstream.Upstream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The target of forwarded requests: endpoints of an upstream, with precomputed timeouts and policies. Times are in
 * nanoseconds.
 *
 * @param subset the usable endpoints of the upstream
 * @param acquire timeout for acquiring a connection
 * @param connect timeout for connecting
 * @param silence timeouts for the response head and between two reads of the response body
 * @param exchange timeout for the whole exchange; 0 = no limit
 * @param policies the resilience policies of the route
 */
public record ProxyTarget(
        Subset subset, long acquire, long connect, SilenceLimits silence, long exchange, RoutePolicies policies) {

    /** Creates the target of a route. Timeouts that the route does not set are inherited from the upstream. */
    public static ProxyTarget of(Subset subset, RouteTimeouts timeouts, RoutePolicies policies) {
        RouteTimeouts t = timeouts.orElse(subset.upstream().timeouts());
        return new ProxyTarget(
                subset,
                nanos(t.acquire()),
                nanos(t.connect()),
                new SilenceLimits(nanos(t.responseHead()), nanos(t.responseBody())),
                nanos(t.exchange()),
                policies);
    }

    /**
     * Returns the target of a filter's call-outs to {@code upstream}. This target has the timeouts of the upstream and
     * the default retries.
     */
    static ProxyTarget ofCall(Upstream upstream) {
        return of(upstream.whole(), RouteTimeouts.UNSET, RoutePolicies.OfCalls.POLICIES);
    }

    /** Returns the target of a mirror's copies. This target has the timeouts of {@code upstream} and no retries. */
    public static ProxyTarget ofMirror(Upstream upstream) {
        return of(upstream.whole(), RouteTimeouts.UNSET, RoutePolicies.OfMirrors.POLICIES);
    }

    /** Returns the upstream of {@link #subset}. */
    public Upstream upstream() {
        return subset.upstream();
    }

    /**
     * Returns a copy of this target with other timeouts for the response head and for the whole exchange, in
     * nanoseconds. The value 0 keeps the current timeout.
     */
    public ProxyTarget with(long responseHead, long wholeExchange) {
        return new ProxyTarget(
                subset,
                acquire,
                connect,
                responseHead > 0 ? new SilenceLimits(responseHead, silence.responseBody()) : silence,
                wholeExchange > 0 ? wholeExchange : exchange,
                policies);
    }

    private static long nanos(@Nullable Duration set) {
        return set == null ? 0 : set.toNanos();
    }
}
