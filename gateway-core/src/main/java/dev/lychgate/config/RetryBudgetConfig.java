package dev.lychgate.config;

import static dev.lychgate.config.Key.number;
import static dev.lychgate.config.Key.percent;

/**
 * How many attempts beyond the first an upstream gets, whatever the routes allow: it keeps retries from doing what the
 * clients could not. Counted over 10 s.
 */
public record RetryBudgetConfig(Percent share, int minimum) {
    private static final Key<Percent> SHARE =
            percent("share", "20%").between(0, "100%").about("of the requests sent to it");

    private static final Key<Integer> MINIMUM = number("minimum", 3)
            .unit("attempts per second")
            .between(0, 10_000)
            .about("per process, where the share comes to less");

    public static final RetryBudgetConfig DEFAULT = read(Key.DEFAULTS);

    public RetryBudgetConfig {
        SHARE.check(share);
        MINIMUM.check(minimum);
    }

    /** Reads a section. */
    static RetryBudgetConfig read(Key.Values values) {
        return new RetryBudgetConfig(values.get(SHARE), values.get(MINIMUM));
    }
}
