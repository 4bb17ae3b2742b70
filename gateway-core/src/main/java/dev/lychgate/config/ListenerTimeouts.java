package dev.lychgate.config;

import java.time.Duration;

/**
 * How long a listener waits for its clients. Checked every 100 ms: a limit may be overstepped by that much.
 */
public record ListenerTimeouts(
        Duration requestHead, Duration requestBody, Duration idle, Duration write, Duration tlsHandshake) {
    private static final Key<Duration> REQUEST_HEAD =
            Key.duration("request-head", "10s").positive().about("from the first byte of a request head to its end");

    private static final Key<Duration> REQUEST_BODY =
            Key.duration("request-body", "30s").positive().about("longest silence within a request body");
    private static final Key<Duration> IDLE = Key.duration("idle", "65s")
            .positive()
            .about("longest silence between two requests of a connection, and before the first");
    private static final Key<Duration> WRITE = Key.duration("write", "60s")
            .positive()
            .about("longest time a client may read nothing of a response that waits for it, or either side of a "
                    + "WebSocket nothing of its bytes");
    private static final Key<Duration> TLS_HANDSHAKE = Key.duration("tls-handshake", "10s")
            .positive()
            .about("from the moment a connection is accepted to the end of its TLS handshake; then it is closed");

    static final Keys<ListenerTimeouts> KEYS =
            Keys.of(ListenerTimeouts::new, REQUEST_HEAD, REQUEST_BODY, IDLE, WRITE, TLS_HANDSHAKE);

    public static final ListenerTimeouts DEFAULT = KEYS.defaults();

    public ListenerTimeouts {
        KEYS.check(requestHead, requestBody, idle, write, tlsHandshake);
    }

    /** Times with the default for TLS handshakes. */
    public ListenerTimeouts(Duration requestHead, Duration requestBody, Duration idle, Duration write) {
        this(requestHead, requestBody, idle, write, TLS_HANDSHAKE.otherwise());
    }
}
