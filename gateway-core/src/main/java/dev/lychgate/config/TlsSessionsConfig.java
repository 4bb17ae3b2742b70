package dev.lychgate.config;

import java.time.Duration;

/** The resumption of TLS sessions without a full handshake. */
public record TlsSessionsConfig(boolean tickets, int cache, Duration lifetime) {
    private static final Key<Boolean> TICKETS = Key.flag("tickets", true)
            .about("issues session tickets; this key applies to BoringSSL only, because the JDK has separate settings");

    private static final Key<Integer> CACHE = Key.number("cache", 20_000)
            .unit("sessions")
            .between(0, 10_000_000)
            .about("the number of sessions that are cached for clients without tickets; `0` = none");
    private static final Key<Duration> LIFETIME =
            Key.duration("lifetime", "1h").between("1s", "168h").about("the time for which a session may be resumed");

    static final Keys<TlsSessionsConfig> KEYS = Keys.of(TlsSessionsConfig::new, TICKETS, CACHE, LIFETIME);

    public static final TlsSessionsConfig DEFAULT = KEYS.defaults();

    public TlsSessionsConfig {
        KEYS.check(tickets, cache, lifetime);
    }
}
