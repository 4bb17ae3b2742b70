package dev.lychgate.error;

import java.util.Locale;

/**
 * The kinds of failures. The label of a kind, such as {@code connect-refused}, is stable. The label is the last part of
 * the problem {@code type}. It is also the value of the {@code error} field of the access log and of a metric label.
 * {@link #status} is the response status.
 */
public enum ErrorKind {
    /** The request or its body violates HTTP's grammar or framing. */
    MALFORMED_REQUEST,
    /** The path has no safe normal form (encoded slash, control bytes, dot segments above the root). */
    BAD_PATH,
    /** The Host header is missing, duplicate or malformed. */
    BAD_HOST,
    /** No route matches. */
    NO_ROUTE,
    /** The gateway does not support the method of the request. An example is CONNECT. */
    METHOD_NOT_ALLOWED,
    /** The client did not complete its request head in time, or stalled within its request body. */
    REQUEST_TIMEOUT,
    /** The request body is longer than the limit. */
    BODY_TOO_LARGE,
    /** The request line is longer than the limit. */
    URI_TOO_LONG,
    /** The Expect header has a value other than 100-continue. */
    EXPECTATION_FAILED,
    /** The request names a scheme or host that this connection does not serve. */
    MISDIRECTED_REQUEST,
    /** The header section is larger than the limit, or has more fields than the limit. */
    HEADERS_TOO_LARGE,
    /** The client disconnected. */
    CLIENT_GONE,
    /** For longer than the write timeout, the client did not read its response. */
    CLIENT_STALLED,
    /** The request uses a coding, an upgrade or a feature that the gateway does not support. */
    NOT_IMPLEMENTED,
    /** The gateway does not support the HTTP version of the request. */
    VERSION_NOT_SUPPORTED,
    /** The WebSocket handshake has a version other than 13. */
    WEBSOCKET_VERSION,
    /** The route does not accept WebSockets. */
    WEBSOCKET_NOT_SERVED,
    /** The Origin of a WebSocket request is not allowed by the route. */
    ORIGIN_NOT_ALLOWED,
    /** The request has already passed through this gateway: its Via contains this gateway's entry. */
    LOOP_DETECTED,
    /** The upstream has no usable endpoint. */
    NO_ENDPOINT,
    /** No pooled connection became available in time. */
    ACQUIRE_TIMEOUT,
    /** The queue for pooled connections is full. */
    POOL_EXHAUSTED,
    /** The origin refused the connection. */
    CONNECT_REFUSED,
    /** The origin's address could not be resolved or reached. */
    CONNECT_FAILED,
    /** The origin did not accept the connection in time. */
    CONNECT_TIMEOUT,
    /** The TLS handshake with the origin failed, for example because of its certificate. */
    TLS_FAILED,
    /** The origin sent no response head in time. */
    RESPONSE_TIMEOUT,
    /** The origin's response body stalled. */
    RESPONSE_BODY_TIMEOUT,
    /** The exchange exceeded its total timeout. */
    EXCHANGE_TIMEOUT,
    /** The origin closed or reset the connection before its response was complete. */
    ORIGIN_RESET,
    /** The origin cancelled the stream of the request (HTTP/2) before the response head. */
    ORIGIN_CANCELLED,
    /** The origin's response violates HTTP's grammar or framing. */
    MALFORMED_RESPONSE,
    /** The circuit breaker is open: the upstream has failed too often. */
    CIRCUIT_OPEN,
    /** The concurrency limit of the route or the upstream is reached. */
    BULKHEAD_FULL,
    /** The adaptive concurrency limit of the upstream is reached. */
    CONCURRENCY_LIMITED,
    /** The credentials of the request are malformed. */
    BAD_CREDENTIALS,
    /** The request has no valid credentials. */
    UNAUTHENTICATED,
    /** The sender of the request has no access. */
    FORBIDDEN,
    /** The credentials of the request cannot be verified at present. */
    IDENTITY_UNAVAILABLE,
    /** The client has sent more requests than a rate limit admits. */
    RATE_LIMITED,
    /** The client is banned, or an address list of the listener refuses it. */
    CLIENT_REFUSED,
    /** The client has more running requests than the listener permits. */
    CLIENT_LIMITED,
    /** A filter has reached its maximum of concurrent exchanges. */
    FILTER_BUSY,
    /** The gateway is overloaded, and sheds requests with the priority of this request. */
    OVERLOADED,
    /** The gateway is shutting down. */
    DRAINING,
    /** A fault was injected for a rehearsal: neither the gateway nor an origin has failed. */
    FAULT_INJECTED,
    /** A bug of the gateway or of a filter. */
    INTERNAL;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /**
     * Returns whether the client can receive a response. If the client has disconnected or does not read its response,
     * returns false; the error is then only logged.
     */
    public boolean isAnswered() {
        return this != CLIENT_GONE && this != CLIENT_STALLED;
    }

    /** Returns the stable label in lower case, such as {@code connect-refused}. */
    public String label() {
        return label;
    }

    /**
     * Returns the HTTP status of the response. If the client receives no response, returns 499, which is only logged.
     * An injected fault may have another status: see {@link GatewayError#getStatus}.
     */
    public int status() {
        return switch (this) {
            case MALFORMED_REQUEST, BAD_PATH, BAD_HOST, BAD_CREDENTIALS -> 400;
            case UNAUTHENTICATED -> 401;
            case WEBSOCKET_NOT_SERVED, ORIGIN_NOT_ALLOWED, CLIENT_REFUSED, FORBIDDEN -> 403;
            case NO_ROUTE -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case REQUEST_TIMEOUT -> 408;
            case BODY_TOO_LARGE -> 413;
            case URI_TOO_LONG -> 414;
            case EXPECTATION_FAILED -> 417;
            case MISDIRECTED_REQUEST -> 421;
            case WEBSOCKET_VERSION -> 426;
            case RATE_LIMITED, CLIENT_LIMITED -> 429;
            case HEADERS_TOO_LARGE -> 431;
            case CLIENT_GONE, CLIENT_STALLED -> 499;
            case INTERNAL -> 500;
            case NOT_IMPLEMENTED -> 501;
            case CONNECT_REFUSED,
                    CONNECT_FAILED,
                    TLS_FAILED,
                    ORIGIN_RESET,
                    ORIGIN_CANCELLED,
                    MALFORMED_RESPONSE,
                    LOOP_DETECTED -> 502;
            case NO_ENDPOINT,
                    ACQUIRE_TIMEOUT,
                    POOL_EXHAUSTED,
                    CIRCUIT_OPEN,
                    BULKHEAD_FULL,
                    CONCURRENCY_LIMITED,
                    FILTER_BUSY,
                    IDENTITY_UNAVAILABLE,
                    OVERLOADED,
                    DRAINING,
                    FAULT_INJECTED -> 503;
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, RESPONSE_BODY_TIMEOUT, EXCHANGE_TIMEOUT -> 504;
            case VERSION_NOT_SUPPORTED -> 505;
        };
    }
}
