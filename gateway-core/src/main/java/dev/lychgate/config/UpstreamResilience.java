package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/** The settings that protect an upstream and its clients during failures and overload. */
public record UpstreamResilience(
        RetryBudgetConfig retryBudget,
        @Nullable BreakerConfig breaker,
        @Nullable BulkheadConfig bulkhead,
        @Nullable LimitConfig limit) {
    private static final Key<RetryBudgetConfig> RETRY_BUDGET = Key.section("retry-budget", RetryBudgetConfig.KEYS)
            .about("the limit on retries, in addition to the limits of the routes; the gateway counts the retries of "
                    + "the last 10 s");
    private static final Key<BreakerConfig> BREAKER = Key.section("breaker", null, () -> BreakerConfig.KEYS)
            .absent("no breaker")
            .about("the circuit breaker; resets, timeouts, failed connects, malformed responses and statuses from 500 "
                    + "count as failures");
    private static final Key<BulkheadConfig> BULKHEAD = Key.section("bulkhead", null, () -> BulkheadConfig.KEYS)
            .absent("no limit")
            .about("the maximum number of concurrent attempts; further attempts are rejected at once with 503");
    private static final Key<LimitConfig> LIMIT = Key.section("limit", null, () -> LimitConfig.KEYS)
            .absent("no limit")
            .about("the adaptive limit on concurrent attempts; each event loop adapts its own part of the limit");

    static final Keys<UpstreamResilience> KEYS =
            Keys.of(UpstreamResilience::new, RETRY_BUDGET, BREAKER, BULKHEAD, LIMIT);

    public static final UpstreamResilience DEFAULT = KEYS.defaults();
}
