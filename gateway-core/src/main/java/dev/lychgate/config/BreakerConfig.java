package dev.lychgate.config;

import java.time.Duration;

/**
 * When an upstream is left alone, since it only fails. After {@code open} one request is sent to see whether that has
 * changed.
 */
public record BreakerConfig(Percent errorShare, Duration window, int minimum, Duration open, boolean perEndpoint) {
    private static final Key<Percent> ERROR_SHARE = Key.percent("error-share", "50%")
            .between("1%", "100%")
            .about("the circuit opens when this share of attempts has failed");

    private static final Key<Duration> WINDOW =
            Key.duration("window", "10s").between("1s", "10m").about("over this time");
    private static final Key<Integer> MINIMUM = Key.number("minimum", 20)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("with at least so many in it, per process");
    private static final Key<Duration> OPEN = Key.duration("open", "5s")
            .between("100ms", "1h")
            .about("how long everything is refused with 503 then, until one probe is sent; as long as this a "
                    + "probe may take");
    private static final Key<Boolean> PER_ENDPOINT =
            Key.flag("per-endpoint", false).about("one circuit for each endpoint instead of one for all");

    static final Keys<BreakerConfig> KEYS =
            Keys.of(BreakerConfig::new, ERROR_SHARE, WINDOW, MINIMUM, OPEN, PER_ENDPOINT);

    public static final BreakerConfig DEFAULT = KEYS.defaults();

    public BreakerConfig {
        KEYS.check(errorShare, window, minimum, open, perEndpoint);
    }
}
