package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/**
 * That a route takes WebSockets, and which.
 *
 * @param origins what the Origin field may say: {@code https://example.com}, {@code https://*.example.com} for any name below,
 *     {@code null} for pages without one, {@code *} for anything; empty = the host the request is for, the default
 * @param requireOrigin whether there must be an Origin field, which only browsers send reliably; default false
 * @param idle longest time without a byte in either direction; 0 = none; default 5m
 * @param lifetime longest time from the handshake on; 0 = none, the default
 * @param connections how many may be open at once, per process; default 10000
 */
public record WebSocketConfig(
        List<String> origins, boolean requireOrigin, Duration idle, Duration lifetime, int connections) {
    private static final int MOST_CONNECTIONS = 1_000_000;

    public static final WebSocketConfig DEFAULT =
            new WebSocketConfig(List.of(), false, Duration.ofMinutes(5), Duration.ZERO, 10_000);

    public WebSocketConfig {
        origins = Expect.copy(origins);
        for (String origin : origins) {
            Expect.that(
                    origin.equals("*")
                            || origin.equals("null")
                            || origin.matches(
                                    "[a-z][a-z0-9+.-]*://(\\*\\.)?([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?"),
                    "origins",
                    origin,
                    "an origin such as https://example.com or https://*.example.com in small letters, null or *");
        }
        Expect.notNegative("idle", idle);
        Expect.notNegative("lifetime", lifetime);
        Expect.between(1, MOST_CONNECTIONS, "connections", connections);
    }
}
