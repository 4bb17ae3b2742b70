package dev.lychgate.config;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How long we wait for an upstream. May stand on a route or an upstream; what the route leaves out (null) the upstream
 * says, and what that leaves out {@link #DEFAULT} says. Checked every 100 ms. Silence that our own backpressure caused
 * never counts.
 */
public record RouteTimeouts(
        @Nullable Duration acquire,
        @Nullable Duration connect,
        @Nullable Duration responseHead,
        @Nullable Duration responseBody,
        @Nullable Duration exchange) {
    private static final Key<Duration> ACQUIRE =
            Key.duration("acquire", "10s").positive().about("longest wait for a pooled connection; then 503");
    private static final Key<Duration> CONNECT = Key.duration("connect", "2s")
            .positive()
            .about("longest TCP connect, with the TLS handshake where there is one; then 504");
    private static final Key<Duration> RESPONSE_HEAD = Key.duration("response-head", "30s")
            .positive()
            .about("from the last byte of the request sent to the response head; then 504");
    private static final Key<Duration> RESPONSE_BODY = Key.duration("response-body", "60s")
            .positive()
            .about("longest silence within a response body; then the answer is cut");
    private static final Key<Duration> EXCHANGE = Key.duration("exchange", "0")
            .about("everything, from the request head to the last byte of the answer; `0` = no limit");

    /** Nothing said. */
    public static final RouteTimeouts UNSET = new RouteTimeouts(null, null, null, null, null);

    public static final RouteTimeouts DEFAULT = read(Key.DEFAULTS, key -> key);

    public RouteTimeouts {
        ACQUIRE.check(acquire);
        CONNECT.check(connect);
        RESPONSE_HEAD.check(responseHead);
        RESPONSE_BODY.check(responseBody);
        EXCHANGE.check(exchange);
    }

    /** Reads a section of a route, whose upstream may say the rest. */
    static RouteTimeouts ofRoute(Key.Values values) {
        return read(values, key -> key.optional("the upstream's"));
    }

    /** Reads a section of an upstream; its routes may say otherwise. */
    static RouteTimeouts ofUpstream(Key.Values values) {
        return read(values, key -> key.optional(null));
    }

    private static RouteTimeouts read(Key.Values values, UnaryOperator<Key<Duration>> as) {
        return new RouteTimeouts(
                values.get(as.apply(ACQUIRE)),
                values.get(as.apply(CONNECT)),
                values.get(as.apply(RESPONSE_HEAD)),
                values.get(as.apply(RESPONSE_BODY)),
                values.get(as.apply(EXCHANGE)));
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
