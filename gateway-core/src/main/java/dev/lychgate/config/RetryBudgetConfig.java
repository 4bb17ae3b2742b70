package dev.lychgate.config;

/**
 * How many attempts beyond the first an upstream gets, whatever the routes allow: it keeps retries from doing what the
 * clients could not. Counted over 10 s.
 */
public record RetryBudgetConfig(Percent share, int minimum) {
    private static final Key<Percent> SHARE =
            Key.percent("share", "20%").between(0, "100%").about("of the requests sent to it");

    private static final Key<Integer> MINIMUM = Key.number("minimum", 3)
            .unit("attempts per second")
            .between(0, 10_000)
            .about("per process, where the share comes to less");

    static final Keys<RetryBudgetConfig> KEYS = Keys.of(RetryBudgetConfig::new, SHARE, MINIMUM);

    public static final RetryBudgetConfig DEFAULT = KEYS.defaults();

    public RetryBudgetConfig {
        KEYS.check(share, minimum);
    }
}
