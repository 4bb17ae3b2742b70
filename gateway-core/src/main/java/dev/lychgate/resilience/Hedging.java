package dev.lychgate.resilience;

import dev.lychgate.config.RetryConfig;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends a second attempt (hedge) if the first one is slow. The first response head wins; the other attempt is
 * cancelled. A hedge requires a repeatable request. It counts as one of the route's attempts and is charged to the
 * retry budget. Immutable and thread-safe.
 */
public final class Hedging {
    /** Disables hedging. */
    public static final Hedging NONE = new Hedging(RetryPolicy.NONE, 0, 0);

    private final RetryPolicy policy;
    private final long fixed;
    private final int percentile;

    private Hedging(RetryPolicy policy, long fixed, int percentile) {
        this.policy = policy;
        this.fixed = fixed;
        this.percentile = percentile;
    }

    /**
     * Returns the hedging of a route.
     *
     * @param policy built from the same settings
     */
    public static Hedging of(@Nullable RetryConfig config, RetryPolicy policy) {
        RetryConfig.Hedge hedge = config == null ? null : config.hedge();
        if (hedge == null) {
            return NONE;
        }
        Duration delay = hedge.delay();
        return new Hedging(policy, delay == null ? 0 : delay.toNanos(), hedge.percentile());
    }

    /**
     * Returns the time after which an attempt counts as slow.
     *
     * @param latency latency of the route's responses on this loop
     * @return nanoseconds; -1 if hedging is off or the latency is unknown
     */
    public long delay(LatencyQuantile latency) {
        if (this == NONE) {
            return -1;
        }
        return percentile == 0 ? fixed : latency.of(percentile);
    }

    /**
     * Decides about a hedge when the delay has elapsed: {@link RetryDecision#RETRY} starts a second attempt, at another
     * endpoint.
     *
     * @param attempts number of attempts so far, including the slow one
     * @param bodyWhole whether the whole body was received and kept, or there is none
     * @param committed whether a response head was sent to the client
     */
    public RetryDecision decide(
            HttpMethod method,
            int attempts,
            boolean bodyWhole,
            boolean committed,
            RetryBudget.LoopView budget,
            long now) {
        if (committed) {
            return RetryDecision.COMMITTED;
        }
        if (this == NONE) {
            return RetryDecision.NO_POLICY;
        }
        if (!policy.isIdempotent(method)) {
            return RetryDecision.NOT_IDEMPOTENT;
        }
        if (!bodyWhole) {
            return RetryDecision.BODY_GONE;
        }
        if (!policy.allowsMoreThan(attempts)) {
            return RetryDecision.ATTEMPTS_USED;
        }
        return budget.tryTake(now) ? RetryDecision.RETRY : RetryDecision.BUDGET_SPENT;
    }
}
