package dev.lychgate.config;

import static dev.lychgate.config.Key.duration;
import static dev.lychgate.config.Key.flag;
import static dev.lychgate.config.Key.number;
import static dev.lychgate.config.Key.percent;

import java.time.Duration;

/**
 * When an upstream is left alone, since it only fails. After {@code open} one request is sent to see whether that has
 * changed.
 */
public record BreakerConfig(Percent errorShare, Duration window, int minimum, Duration open, boolean perEndpoint) {
    private static final Key<Percent> ERROR_SHARE = percent("error-share", "50%")
            .between("1%", "100%")
            .about("the circuit opens when this share of attempts has failed");

    private static final Key<Duration> WINDOW =
            duration("window", "10s").between("1s", "10m").about("over this time");
    private static final Key<Integer> MINIMUM = number("minimum", 20)
            .unit("attempts")
            .between(1, 1_000_000)
            .about("with at least so many in it, per process");
    private static final Key<Duration> OPEN = duration("open", "5s")
            .between("100ms", "1h")
            .about("how long everything is refused with 503 then, until one probe is sent; as long as this a "
                    + "probe may take");
    private static final Key<Boolean> PER_ENDPOINT =
            flag("per-endpoint", false).about("one circuit for each endpoint instead of one for all");

    public static final BreakerConfig DEFAULT = read(Key.DEFAULTS);

    public BreakerConfig {
        OPEN.check(open);
        ERROR_SHARE.check(errorShare);
        WINDOW.check(window);
        MINIMUM.check(minimum);
    }

    /** Reads a section. */
    static BreakerConfig read(Key.Values values) {
        return new BreakerConfig(
                values.get(ERROR_SHARE),
                values.get(WINDOW),
                values.get(MINIMUM),
                values.get(OPEN),
                values.get(PER_ENDPOINT));
    }
}
