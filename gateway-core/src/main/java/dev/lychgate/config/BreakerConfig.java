package dev.lychgate.config;

import java.time.Duration;

/**
 * The circuit breaker of an upstream. While the breaker is open, requests are rejected. After the time {@code open},
 * the result of one probe request determines whether the breaker closes.
 */
public record BreakerConfig(Percent errorShare, Duration window, int minimum, Duration open, boolean perEndpoint) {
    private static final Key<Percent> ERROR_SHARE = Key.percent("error-share", "50%")
            .between("1%", "100%")
            .about("the share of failed attempts in the window at which the circuit opens");

    private static final Key<Duration> WINDOW =
            Key.duration("window", "10s").between("1s", "10m").about("the time window in which attempts are counted");
    private static final Key<Integer> MINIMUM = Key.number("minimum", 20)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("the minimum number of attempts in the window, per process, before the circuit may open");
    private static final Key<Duration> OPEN = Key.duration("open", "5s")
            .between("100ms", "1h")
            .about("the time for which all requests are rejected with 503 before one probe is sent; also "
                    + "the timeout of the probe");
    private static final Key<Boolean> PER_ENDPOINT = Key.flag("per-endpoint", false)
            .about("keeps one circuit for each endpoint instead of one for the upstream");

    static final Keys<BreakerConfig> KEYS =
            Keys.of(BreakerConfig::new, ERROR_SHARE, WINDOW, MINIMUM, OPEN, PER_ENDPOINT);

    public static final BreakerConfig DEFAULT = KEYS.defaults();

    public BreakerConfig {
        KEYS.check(errorShare, window, minimum, open, perEndpoint);
    }
}
