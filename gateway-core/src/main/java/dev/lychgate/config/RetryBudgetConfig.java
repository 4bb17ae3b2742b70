package dev.lychgate.config;

/**
 * How many attempts beyond the first an upstream gets, whatever the routes allow: it keeps retries from doing what the
 * clients could not. Counted over 10 s.
 *
 * @param share of the requests sent to the upstream; default 20%
 * @param minimum attempts per second and process that may be sent again when the share comes to less; default 3
 */
public record RetryBudgetConfig(Percent share, int minimum) {
    public static final RetryBudgetConfig DEFAULT = new RetryBudgetConfig(new Percent(20), 3);

    public RetryBudgetConfig {
        Expect.that(share.value() <= 100, "share", share, "0% to 100%");
        Expect.between(0, 10_000, "minimum", minimum);
    }
}
