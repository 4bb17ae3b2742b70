package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;
import static dev.lychgate.config.Key.flag;
import static dev.lychgate.config.Key.number;

import java.time.Duration;

/**
 * How clients that come back are spared a whole handshake.
 */
public record TlsSessionsConfig(boolean tickets, int cache, Duration lifetime) {
    private static final Key<Boolean> TICKETS =
            flag("tickets", true).about("whether they get tickets; BoringSSL only, the JDK's has settings of its own");

    private static final Key<Integer> CACHE = number("cache", 20_000)
            .unit("sessions")
            .between(0, 10_000_000)
            .about("kept for clients that take no tickets; `0` = none");
    private static final Key<Duration> LIFETIME =
            duration("lifetime", "1h").between("1s", "168h").about("how long a session may be resumed");

    public static final TlsSessionsConfig DEFAULT = read(Key.DEFAULTS);

    public TlsSessionsConfig {
        CACHE.check(cache);
        LIFETIME.check(lifetime);
    }

    /** Reads a section. */
    static TlsSessionsConfig read(Key.Values values) {
        return new TlsSessionsConfig(values.get(TICKETS), values.get(CACHE), values.get(LIFETIME));
    }
}
