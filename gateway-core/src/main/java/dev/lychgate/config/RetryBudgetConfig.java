package dev.lychgate.config;

/**
 * The limit of retries at an upstream, which applies in addition to the retry policies of the routes. It bounds the
 * additional load that retries cause. The limit applies to the retries of the last 10 s.
 */
public record RetryBudgetConfig(Percent share, int minimum) {
    private static final Key<Percent> SHARE = Key.percent("share", "20%")
            .between(0, "100%")
            .about("the share of retries, relative to the requests sent to the upstream");

    private static final Key<Integer> MINIMUM = Key.number("minimum", 3)
            .unit("attempts per second")
            .between(0, 10_000)
            .about("the number of retries that are permitted in any case, per process, even if the share permits "
                    + "fewer");

    static final Keys<RetryBudgetConfig> KEYS = Keys.of(RetryBudgetConfig::new, SHARE, MINIMUM);

    public static final RetryBudgetConfig DEFAULT = KEYS.defaults();

    public RetryBudgetConfig {
        KEYS.check(share, minimum);
    }
}
