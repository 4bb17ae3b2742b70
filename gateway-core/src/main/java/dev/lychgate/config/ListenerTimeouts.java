package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;

import java.time.Duration;

/**
 * How long a listener waits for its clients. Checked every 100 ms: a limit may be overstepped by that much.
 */
public record ListenerTimeouts(
        Duration requestHead, Duration requestBody, Duration idle, Duration write, Duration tlsHandshake) {
    private static final Key<Duration> REQUEST_HEAD =
            duration("request-head", "10s").positive().about("from the first byte of a request head to its end");

    private static final Key<Duration> REQUEST_BODY =
            duration("request-body", "30s").positive().about("longest silence within a request body");
    private static final Key<Duration> IDLE = duration("idle", "65s")
            .positive()
            .about("longest silence between two requests of a connection, and before the first");
    private static final Key<Duration> WRITE = duration("write", "60s")
            .positive()
            .about("longest time a client may read nothing of a response that waits for it, or either side of a "
                    + "WebSocket nothing of its bytes");
    private static final Key<Duration> TLS_HANDSHAKE = duration("tls-handshake", "10s")
            .positive()
            .about("from the moment a connection is accepted to the end of its TLS handshake; then it is closed");

    public static final ListenerTimeouts DEFAULT = read(Key.DEFAULTS);

    public ListenerTimeouts {
        REQUEST_HEAD.check(requestHead);
        REQUEST_BODY.check(requestBody);
        IDLE.check(idle);
        WRITE.check(write);
        TLS_HANDSHAKE.check(tlsHandshake);
    }

    /** Reads a section. */
    static ListenerTimeouts read(Key.Values values) {
        return new ListenerTimeouts(
                values.get(REQUEST_HEAD),
                values.get(REQUEST_BODY),
                values.get(IDLE),
                values.get(WRITE),
                values.get(TLS_HANDSHAKE));
    }

    /** Times with the default for TLS handshakes. */
    public ListenerTimeouts(Duration requestHead, Duration requestBody, Duration idle, Duration write) {
        this(requestHead, requestBody, idle, write, TLS_HANDSHAKE.otherwise());
    }
}
