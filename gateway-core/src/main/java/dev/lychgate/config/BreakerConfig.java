package dev.lychgate.config;

import java.time.Duration;

/**
 * When an upstream is left alone, since it only fails. After {@code open} one request is sent to see whether that has
 * changed.
 *
 * @param errorShare the circuit opens when this share of attempts has failed; default 50%
 * @param window over this time; default 10s
 * @param minimum and there were at least so many attempts in it, in the whole process; default 20
 * @param open how long nothing is sent then; also how long a probe may take before another one is sent; default 5s
 * @param perEndpoint one circuit for each endpoint instead of one for all; default false
 */
public record BreakerConfig(Percent errorShare, Duration window, int minimum, Duration open, boolean perEndpoint) {
    public static final BreakerConfig DEFAULT =
            new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 20, Duration.ofSeconds(5), false);

    public BreakerConfig {
        Expect.that(errorShare.value() > 0 && errorShare.value() <= 100, "error-share", errorShare, "1% to 100%");
        Expect.that(
                window.toMillis() >= 1000 && window.compareTo(Duration.ofMinutes(10)) <= 0,
                "window",
                Durations.print(window),
                "1s to 10m");
        Expect.between(1, 1_000_000, "minimum", minimum);
        Expect.that(
                open.toMillis() >= 100 && open.compareTo(Duration.ofHours(1)) <= 0,
                "open",
                Durations.print(open),
                "100ms to 1h");
    }
}
