package dev.lychgate.resilience;

import dev.lychgate.config.RetryConfig;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a slow attempt gets a concurrent second attempt, the hedge. The attempt whose response head arrives
 * first wins, and the other attempt is cancelled. A hedge requires a repeatable request. It counts toward the route's
 * maximum of attempts, and is charged to the retry budget. Immutable and thread-safe.
 */
public final class Hedging {
    /** The policy that sends no hedges. */
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
     * @param policy the retry policy, built from {@code config}
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
     * @param latency the latency of the route's responses on the current event loop
     * @return nanoseconds; -1 if hedging is off or the latency is unknown
     */
    public long delay(LatencyQuantile latency) {
        if (this == NONE) {
            return -1;
        }
        return percentile == 0 ? fixed : latency.of(percentile);
    }

    /**
     * Decides whether to send a hedge after {@link #delay} has passed. {@link RetryDecision#RETRY} means that a second
     * attempt starts, at another endpoint.
     *
     * @param attempts the number of attempts so far, including the slow attempt
     * @param bodyWhole whether the request has no body, or its whole body has been received and kept
     * @param committed whether a response head has been sent to the client
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
