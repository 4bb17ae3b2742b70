package dev.lychgate.config;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts for requests to an upstream. A null value is inherited: a route inherits from its upstream, and an
 * upstream inherits from {@link #DEFAULT}. Timeouts are checked every 100 ms. Time in which the gateway itself has
 * paused reading does not count.
 */
public record RouteTimeouts(
        @Nullable Duration acquire,
        @Nullable Duration connect,
        @Nullable Duration responseHead,
        @Nullable Duration responseBody,
        @Nullable Duration exchange) {
    private static final Key<Duration> ACQUIRE = Key.duration("acquire", "10s")
            .positive()
            .about("the longest time for which a request waits for a pooled connection; after it, the client gets 503");
    private static final Key<Duration> CONNECT = Key.duration("connect", "2s")
            .positive()
            .about("the timeout for opening a connection, including the TLS handshake if there is one; after it, the "
                    + "client gets 504");
    private static final Key<Duration> RESPONSE_HEAD = Key.duration("response-head", "30s")
            .positive()
            .about("the longest time from sending the last byte of the request to the response head; after it, the "
                    + "client gets 504");
    private static final Key<Duration> RESPONSE_BODY = Key.duration("response-body", "60s")
            .positive()
            .about("the longest time without a byte within a response body; after it, the response is aborted");
    private static final Key<Duration> EXCHANGE = Key.duration("exchange", "0")
            .about("the timeout of the whole exchange, from the request head to the last byte of the "
                    + "response; `0` = no limit");

    /** Contains no timeouts: each timeout is inherited. */
    public static final RouteTimeouts UNSET = new RouteTimeouts(null, null, null, null, null);

    public static final RouteTimeouts DEFAULT = read(Key.DEFAULTS, key -> key);

    public RouteTimeouts {
        ACQUIRE.check(acquire);
        CONNECT.check(connect);
        RESPONSE_HEAD.check(responseHead);
        RESPONSE_BODY.check(responseBody);
        EXCHANGE.check(exchange);
    }

    /** Reads the section of a route. A route inherits missing values from its upstream. */
    static RouteTimeouts ofRoute(Key.Values values) {
        return read(values, key -> key.optional("the upstream's"));
    }

    /** Reads the section of an upstream. The routes of the upstream may override the values. */
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

    /** Returns these timeouts. The values of {@code fallback} replace missing values. */
    public RouteTimeouts orElse(RouteTimeouts fallback) {
        return new RouteTimeouts(
                acquire != null ? acquire : fallback.acquire,
                connect != null ? connect : fallback.connect,
                responseHead != null ? responseHead : fallback.responseHead,
                responseBody != null ? responseBody : fallback.responseBody,
                exchange != null ? exchange : fallback.exchange);
    }
}
