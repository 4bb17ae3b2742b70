package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What protects an upstream from its callers, and them from it.
 *
 * @param retryBudget how many attempts beyond the first it gets
 * @param breaker when it is left alone; null = never, the default
 * @param bulkhead how many attempts may be under way; null = no limit, the default
 * @param limit the same, finding its own height; null = no limit, the default
 */
public record UpstreamResilience(
        RetryBudgetConfig retryBudget,
        @Nullable BreakerConfig breaker,
        @Nullable BulkheadConfig bulkhead,
        @Nullable LimitConfig limit) {
    public static final UpstreamResilience DEFAULT =
            new UpstreamResilience(RetryBudgetConfig.DEFAULT, null, null, null);
}
