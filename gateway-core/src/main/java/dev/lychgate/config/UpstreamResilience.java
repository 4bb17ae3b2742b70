package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What protects an upstream from its callers, and them from it.
 */
public record UpstreamResilience(
        RetryBudgetConfig retryBudget,
        @Nullable BreakerConfig breaker,
        @Nullable BulkheadConfig bulkhead,
        @Nullable LimitConfig limit) {
    private static final Key<RetryBudgetConfig> RETRY_BUDGET = Key.section("retry-budget", RetryBudgetConfig.KEYS)
            .about("how many attempts beyond the first it gets, whatever the routes allow; counted over 10 s");
    private static final Key<BreakerConfig> BREAKER = Key.section("breaker", null, () -> BreakerConfig.KEYS)
            .absent("no breaker")
            .about("when it is left alone since it only fails; failures are resets, timeouts, failed connects, "
                    + "broken answers and statuses from 500");
    private static final Key<BulkheadConfig> BULKHEAD = Key.section("bulkhead", null, () -> BulkheadConfig.KEYS)
            .absent("no limit")
            .about("how many attempts may be under way; the rest is refused at once with 503");
    private static final Key<LimitConfig> LIMIT = Key.section("limit", null, () -> LimitConfig.KEYS)
            .absent("no limit")
            .about("a limit on concurrent attempts that finds its own height; each event loop finds its part for"
                    + " itself");

    static final Keys<UpstreamResilience> KEYS =
            Keys.of(UpstreamResilience::new, RETRY_BUDGET, BREAKER, BULKHEAD, LIMIT);

    public static final UpstreamResilience DEFAULT = KEYS.defaults();
}
