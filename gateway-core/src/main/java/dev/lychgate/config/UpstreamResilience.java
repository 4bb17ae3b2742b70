package dev.lychgate.config;

import static dev.lychgate.config.Key.section;

import org.jspecify.annotations.Nullable;

/**
 * What protects an upstream from its callers, and them from it.
 */
public record UpstreamResilience(
        RetryBudgetConfig retryBudget,
        @Nullable BreakerConfig breaker,
        @Nullable BulkheadConfig bulkhead,
        @Nullable LimitConfig limit) {
    private static final Key<RetryBudgetConfig> RETRY_BUDGET = section(
                    "retry-budget", RetryBudgetConfig.DEFAULT, RetryBudgetConfig::read)
            .about("how many attempts beyond the first it gets, whatever the routes allow; counted over 10 s");
    private static final Key<BreakerConfig> BREAKER = section("breaker", null, BreakerConfig::read)
            .absent("no breaker")
            .about("when it is left alone since it only fails; failures are resets, timeouts, failed connects, "
                    + "broken answers and statuses from 500");
    private static final Key<BulkheadConfig> BULKHEAD = section("bulkhead", null, BulkheadConfig::read)
            .absent("no limit")
            .about("how many attempts may be under way; the rest is refused at once with 503");
    private static final Key<LimitConfig> LIMIT = section("limit", null, LimitConfig::read)
            .absent("no limit")
            .about(
                    "a limit on concurrent attempts that finds its own height; each event loop finds its part for itself");

    public static final UpstreamResilience DEFAULT = read(Key.DEFAULTS);

    /** Reads a section. */
    static UpstreamResilience read(Key.Values values) {
        return new UpstreamResilience(
                values.get(RETRY_BUDGET), values.get(BREAKER), values.get(BULKHEAD), values.get(LIMIT));
    }
}
