package dev.lychgate.config;

import java.time.Duration;

/**
 * How clients that come back are spared a whole handshake.
 *
 * @param tickets whether clients get tickets, which cost the gateway no memory; default true
 * @param cache how many sessions are kept for clients that take no tickets; 0 = none, default 20000
 * @param lifetime how long a session may be resumed; default 1h
 */
public record TlsSessionsConfig(boolean tickets, int cache, Duration lifetime) {
    public static final TlsSessionsConfig DEFAULT = new TlsSessionsConfig(true, 20_000, Duration.ofHours(1));

    public TlsSessionsConfig {
        Expect.between(0, 10_000_000, "cache", cache);
        Expect.that(
                lifetime.toSeconds() >= 1 && lifetime.compareTo(Duration.ofDays(7)) <= 0,
                "lifetime",
                Durations.print(lifetime),
                "1s to 168h");
    }
}
