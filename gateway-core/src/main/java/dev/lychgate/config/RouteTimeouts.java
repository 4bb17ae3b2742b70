package dev.lychgate.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long we wait for an upstream. May stand on a route or an upstream; what the route leaves out (null) the upstream
 * says, and what that leaves out {@link #DEFAULT} says. Checked every 100 ms. Silence that our own backpressure caused
 * never counts.
 *
 * @param acquire longest wait for a pooled connection; default 10s
 * @param connect longest TCP connect; default 2s
 * @param responseHead from the last byte of the request sent to the response head; default 30s
 * @param responseBody longest silence within a response body; default 60s
 * @param exchange everything, from the request head to the last byte of the answer; 0 = none, the default
 */
public record RouteTimeouts(
        @Nullable Duration acquire,
        @Nullable Duration connect,
        @Nullable Duration responseHead,
        @Nullable Duration responseBody,
        @Nullable Duration exchange) {
    /** Nothing said. */
    public static final RouteTimeouts UNSET = new RouteTimeouts(null, null, null, null, null);

    public static final RouteTimeouts DEFAULT = new RouteTimeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ZERO);

    public RouteTimeouts {
        positive("acquire", acquire);
        positive("connect", connect);
        positive("response-head", responseHead);
        positive("response-body", responseBody);
        if (exchange != null) {
            Expect.notNegative("exchange", exchange);
        }
    }

    private static void positive(String key, @Nullable Duration value) {
        if (value != null) {
            Expect.positive(key, value);
        }
    }

    /** These, with what they leave unsaid taken from {@code fallback}. */
    public RouteTimeouts orElse(RouteTimeouts fallback) {
        return new RouteTimeouts(
                acquire != null ? acquire : fallback.acquire,
                connect != null ? connect : fallback.connect,
                responseHead != null ? responseHead : fallback.responseHead,
                responseBody != null ? responseBody : fallback.responseBody,
                exchange != null ? exchange : fallback.exchange);
    }
}
