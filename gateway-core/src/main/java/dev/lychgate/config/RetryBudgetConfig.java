package dev.lychgate.config;

/**
 * Limits the retries of all requests to an upstream, in addition to the retry policies of the routes. The limit applies
 * to the retries of the last 10 s.
 */
public record RetryBudgetConfig(Percent share, int minimum) {
    private static final Key<Percent> SHARE = Key.percent("share", "20%")
            .between(0, "100%")
            .about("the maximum number of retries, in percent of the requests that were sent to the upstream");

    private static final Key<Integer> MINIMUM = Key.number("minimum", 3)
            .unit("attempts per second")
            .between(0, 10_000)
            .about("the number of retries per second and process that are permitted even if `share` permits fewer");

    static final Keys<RetryBudgetConfig> KEYS = Keys.of(RetryBudgetConfig::new, SHARE, MINIMUM);

    public static final RetryBudgetConfig DEFAULT = KEYS.defaults();

    public RetryBudgetConfig {
        KEYS.check(share, minimum);
    }
}
