package dev.lychgate.error;

import java.util.Locale;

/**
 * The kinds of failure the gateway tells apart. The label ({@code connect-refused}) is stable: it is the last part of
 * the problem {@code type}, the {@code error} field of the access log and a metric label. The status each one is
 * answered with stands in {@link ErrorResponses}.
 */
public enum ErrorKind {
    /** The request breaks HTTP's grammar or framing, or its body did. */
    MALFORMED_REQUEST,
    /** The path has no safe normal form (encoded slash, control bytes, dot segments above the root). */
    BAD_PATH,
    /** None, several or bad Host fields. */
    BAD_HOST,
    /** No route matches. */
    NO_ROUTE,
    /** The method is not served here (CONNECT, for one). */
    METHOD_NOT_ALLOWED,
    /** The client did not finish its request head, or fell silent in the body. */
    REQUEST_TIMEOUT,
    /** The request body is longer than the limit. */
    BODY_TOO_LARGE,
    /** The request line is longer than the limit. */
    URI_TOO_LONG,
    /** An Expect field other than 100-continue. */
    EXPECTATION_FAILED,
    /** The request is for a scheme or host that this connection does not serve. */
    MISDIRECTED_REQUEST,
    /** The header section is larger than the limit, or has more fields than the limit. */
    HEADERS_TOO_LARGE,
    /** The client went away, or stopped reading its answer. */
    CLIENT_GONE,
    /** The client stopped reading its answer for longer than the write timeout. */
    CLIENT_STALLED,
    /** A coding, upgrade or feature the gateway does not speak. */
    NOT_IMPLEMENTED,
    /** An HTTP version the gateway does not speak. */
    VERSION_NOT_SUPPORTED,
    /** A WebSocket handshake of another version than 13. */
    WEBSOCKET_VERSION,
    /** A WebSocket was asked for on a route that takes none. */
    WEBSOCKET_NOT_SERVED,
    /** A page of another origin than the route allows asked for a WebSocket. */
    ORIGIN_NOT_ALLOWED,
    /** The request came back to us: its Via names this gateway. */
    LOOP_DETECTED,
    /** The upstream has no endpoint that may be used. */
    NO_ENDPOINT,
    /** No pooled connection came free in time. */
    ACQUIRE_TIMEOUT,
    /** The queue for pooled connections is full. */
    POOL_EXHAUSTED,
    /** The origin refused the connection. */
    CONNECT_REFUSED,
    /** The origin's address could not be reached or resolved. */
    CONNECT_FAILED,
    /** The origin did not accept the connection in time. */
    CONNECT_TIMEOUT,
    /** The TLS handshake with the origin failed: its certificate is not good, for one. */
    TLS_FAILED,
    /** The origin sent no response head in time. */
    RESPONSE_TIMEOUT,
    /** The origin fell silent within its response body. */
    RESPONSE_BODY_TIMEOUT,
    /** The whole exchange took longer than it may. */
    EXCHANGE_TIMEOUT,
    /** The origin closed or reset the connection before its answer was whole. */
    ORIGIN_RESET,
    /** The origin cancelled the stream of the request (HTTP/2) before the head of its answer. */
    ORIGIN_CANCELLED,
    /** The origin's answer breaks HTTP's grammar or framing. */
    MALFORMED_RESPONSE,
    /** The circuit breaker lets nothing through: the upstream has failed too often. */
    CIRCUIT_OPEN,
    /** As many requests of this route, or to this upstream, are under way as there may be. */
    BULKHEAD_FULL,
    /** As many requests to this upstream are under way as it can answer without a queue. */
    CONCURRENCY_LIMITED,
    /** The gateway has too much to do for requests of this priority. */
    OVERLOADED,
    /** The gateway is shutting down. */
    DRAINING,
    /** A fault of ours. */
    INTERNAL;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Whether a client can be told; false for those that say that it is not there to be told, and are only logged. */
    public boolean isAnswered() {
        return this != CLIENT_GONE && this != CLIENT_STALLED;
    }

    /** The stable, lower-case name: {@code connect-refused}. */
    public String label() {
        return label;
    }
}
