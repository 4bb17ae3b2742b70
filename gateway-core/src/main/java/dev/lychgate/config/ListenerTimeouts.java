package dev.lychgate.config;

import java.time.Duration;

/**
 * How long a listener waits for its clients. Checked every 100 ms: a limit may be overstepped by that much.
 *
 * @param requestHead from the first byte of a request head to its end; default 10s
 * @param requestBody longest silence within a request body; default 30s
 * @param idle longest silence between two requests of a connection, and before the first; default 65s
 * @param write longest time a client may read nothing of a response that waits for it, or either side of a
 *     WebSocket nothing of its bytes; default 60s
 * @param tlsHandshake from the moment a connection is accepted to the end of its TLS handshake; default 10s
 */
public record ListenerTimeouts(
        Duration requestHead, Duration requestBody, Duration idle, Duration write, Duration tlsHandshake) {
    private static final Duration DEFAULT_HANDSHAKE = Duration.ofSeconds(10);

    public static final ListenerTimeouts DEFAULT = new ListenerTimeouts(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(65), Duration.ofSeconds(60));

    public ListenerTimeouts {
        Expect.positive("request-head", requestHead);
        Expect.positive("request-body", requestBody);
        Expect.positive("idle", idle);
        Expect.positive("write", write);
        Expect.positive("tls-handshake", tlsHandshake);
    }

    /** Times with the default for TLS handshakes. */
    public ListenerTimeouts(Duration requestHead, Duration requestBody, Duration idle, Duration write) {
        this(requestHead, requestBody, idle, write, DEFAULT_HANDSHAKE);
    }
}
