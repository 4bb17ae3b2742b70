package dev.lychgate.pool;

import java.util.Locale;

/** The reason for closing a pooled connection. The reason is a label of the counters. */
public enum CloseReason {
    /** The connection was idle for longer than the pool's idle time. */
    IDLE,
    /** The connection exceeded the pool's lifetime. */
    LIFETIME,
    /** The connection has carried the maximum number of requests per connection. */
    REQUESTS,
    /** The origin closed the idle connection, or the connection failed. */
    ORIGIN_CLOSED,
    /** The connection is not reusable after its exchange: {@code Connection: close}, an error or an abort. */
    NOT_REUSABLE,
    /** Another event loop needs the permit of this connection. The event loops share one limit of connections. */
    CONTENDED,
    /** The connection was not closed. It has left the pool permanently, because it carries a WebSocket. */
    UPGRADED,
    /** The endpoint is no longer configured, or the gateway is stopping. */
    RETIRED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String label() {
        return label;
    }
}
