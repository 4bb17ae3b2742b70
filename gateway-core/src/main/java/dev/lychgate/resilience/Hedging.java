package dev.lychgate.resilience;

import dev.lychgate.config.RetryConfig;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A second attempt beside one that is slow; the first to bring a response head wins, and the other is cancelled. Only what may
 * be done twice, within the route's attempts, and paid for by the same budget as retries. Immutable; any thread.
 */
public final class Hedging {
    /** Never. */
    public static final Hedging NONE = new Hedging(RetryPolicy.NONE, 0, 0);

    private final RetryPolicy policy;
    private final long fixed;
    private final int percentile;

    private Hedging(RetryPolicy policy, long fixed, int percentile) {
        this.policy = policy;
        this.fixed = fixed;
        this.percentile = percentile;
    }

    /** What a route says. @param policy made of the same settings */
    public static Hedging of(@Nullable RetryConfig config, RetryPolicy policy) {
        RetryConfig.Hedge hedge = config == null ? null : config.hedge();
        if (hedge == null) {
            return NONE;
        }
        Duration delay = hedge.delay();
        return new Hedging(policy, delay == null ? 0 : delay.toNanos(), hedge.percentile());
    }

    /**
     * How long an attempt has before it counts as slow.
     *
     * @param latency of the route's answers, on this loop
     * @return nanoseconds; -1 if no second attempt is to be begun, or nothing is known yet
     */
    public long delay(LatencyQuantile latency) {
        if (this == NONE) {
            return -1;
        }
        return percentile == 0 ? fixed : latency.of(percentile);
    }

    /**
     * Decides when the delay is over: {@link RetryDecision#RETRY} begins a second attempt, to another endpoint.
     *
     * @param attempts how many there have been, the slow one included
     * @param bodyWhole whether the whole body has come and is kept, or there is none
     * @param committed whether the client has been sent the head of an answer
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
