package dev.lychgate.config;

import java.time.Duration;

/**
 * How clients that come back are spared a whole handshake.
 */
public record TlsSessionsConfig(boolean tickets, int cache, Duration lifetime) {
    private static final Key<Boolean> TICKETS = Key.flag("tickets", true)
            .about("whether they get tickets; BoringSSL only, the JDK's has settings of its own");

    private static final Key<Integer> CACHE = Key.number("cache", 20_000)
            .unit("sessions")
            .between(0, 10_000_000)
            .about("kept for clients that take no tickets; `0` = none");
    private static final Key<Duration> LIFETIME =
            Key.duration("lifetime", "1h").between("1s", "168h").about("how long a session may be resumed");

    static final Keys<TlsSessionsConfig> KEYS = Keys.of(TlsSessionsConfig::new, TICKETS, CACHE, LIFETIME);

    public static final TlsSessionsConfig DEFAULT = KEYS.defaults();

    public TlsSessionsConfig {
        KEYS.check(tickets, cache, lifetime);
    }
}
