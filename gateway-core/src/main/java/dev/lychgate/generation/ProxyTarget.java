package dev.lychgate.generation;

import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.origin.SilenceLimits;
import dev.lychgate.upstream.Subset;
import dev.lychgate.upstream.Upstream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a proxying route leads, with everything that can be worked out beforehand. Times in nanoseconds.
 *
 * @param subset the endpoints of the upstream that may be used
 * @param acquire longest wait for a connection
 * @param connect longest connect
 * @param silence how long the origin may be silent
 * @param exchange longest whole exchange; 0 = no limit
 * @param policies what the route does about failures and overload
 */
public record ProxyTarget(
        Subset subset, long acquire, long connect, SilenceLimits silence, long exchange, RoutePolicies policies) {

    /** What holds for a route with {@code timeouts} and {@code policies} of its own to {@code subset}. */
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

    /** The upstream that {@link #subset} is of. */
    public Upstream upstream() {
        return subset.upstream();
    }

    /** The same target with other limits; 0 leaves the one there is. Nanoseconds. */
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
