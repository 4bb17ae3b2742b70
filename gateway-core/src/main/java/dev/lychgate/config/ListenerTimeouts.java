package dev.lychgate.config;

import java.time.Duration;

/** The timeouts of a listener. Timeouts are checked every 100 ms, so a timeout may take effect up to 100 ms late. */
public record ListenerTimeouts(
        Duration requestHead, Duration requestBody, Duration idle, Duration write, Duration tlsHandshake) {
    private static final Key<Duration> REQUEST_HEAD = Key.duration("request-head", "10s")
            .positive()
            .about("the timeout of a request head, from its first byte to its end");

    private static final Key<Duration> REQUEST_BODY = Key.duration("request-body", "30s")
            .positive()
            .about("the longest time without a byte within a request body");
    private static final Key<Duration> IDLE = Key.duration("idle", "65s")
            .positive()
            .about("the longest time for which a connection may be idle, before its first request and between two "
                    + "requests");
    private static final Key<Duration> WRITE = Key.duration("write", "60s")
            .positive()
            .about("the longest time without progress of a write: while a response is pending, the client reads "
                    + "nothing; on a WebSocket, one side reads none of its pending bytes");
    private static final Key<Duration> TLS_HANDSHAKE = Key.duration("tls-handshake", "10s")
            .positive()
            .about("the timeout of a TLS handshake, from the accepted connection to the end of the "
                    + "handshake; then the connection is closed");

    static final Keys<ListenerTimeouts> KEYS =
            Keys.of(ListenerTimeouts::new, REQUEST_HEAD, REQUEST_BODY, IDLE, WRITE, TLS_HANDSHAKE);

    public static final ListenerTimeouts DEFAULT = KEYS.defaults();

    public ListenerTimeouts {
        KEYS.check(requestHead, requestBody, idle, write, tlsHandshake);
    }

    /** Creates timeouts with the default for TLS handshakes. */
    public ListenerTimeouts(Duration requestHead, Duration requestBody, Duration idle, Duration write) {
        this(requestHead, requestBody, idle, write, TLS_HANDSHAKE.otherwise());
    }
}
