package dev.lychgate.generation;

import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.origin.SilenceLimits;
import dev.lychgate.upstream.Upstream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a proxying route leads, with everything that can be worked out beforehand. Times in nanoseconds.
 *
 * @param upstream the upstream
 * @param acquire longest wait for a connection
 * @param connect longest connect
 * @param silence how long the origin may be silent
 * @param exchange longest whole exchange; 0 = no limit
 */
public record ProxyTarget(Upstream upstream, long acquire, long connect, SilenceLimits silence, long exchange) {

    /** What holds for a route with {@code timeouts} of its own to {@code upstream}. */
    public static ProxyTarget of(Upstream upstream, RouteTimeouts timeouts) {
        RouteTimeouts t = timeouts.orElse(upstream.timeouts());
        return new ProxyTarget(
                upstream,
                nanos(t.acquire()),
                nanos(t.connect()),
                new SilenceLimits(nanos(t.responseHead()), nanos(t.responseBody())),
                nanos(t.exchange()));
    }

    /** The same target with other limits; 0 leaves the one there is. Nanoseconds. */
    public ProxyTarget with(long responseHead, long wholeExchange) {
        return new ProxyTarget(
                upstream,
                acquire,
                connect,
                responseHead > 0 ? new SilenceLimits(responseHead, silence.responseBody()) : silence,
                wholeExchange > 0 ? wholeExchange : exchange);
    }

    private static long nanos(@Nullable Duration set) {
        return set == null ? 0 : set.toNanos();
    }
}
