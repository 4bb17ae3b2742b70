package dev.lychgate.exchange;

import dev.lychgate.cache.StaleUnderOverload;
import dev.lychgate.config.OverloadStaleConfig;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.generation.ProxyTarget;
import org.jspecify.annotations.Nullable;

/**
 * Determines which stale responses the cache may send for one request while its upstream is overloaded. Used on the
 * exchange's event loop.
 */
record OverloadedOrigin(ExchangeState state, OverloadPolicy policy, OverloadStaleConfig stale, ProxyTarget target)
        implements StaleUnderOverload {

    /**
     * Returns which stale responses are permitted for a request. {@code target} is null if the request needs no origin.
     */
    static StaleUnderOverload of(ExchangeState state, @Nullable ProxyTarget target) {
        OverloadPolicy policy = state.generation().overload();
        OverloadStaleConfig stale = policy == null ? null : policy.config().stale();
        return policy == null || stale == null || target == null
                ? StaleUnderOverload.NONE
                : new OverloadedOrigin(state, policy, stale, target);
    }

    @Override
    public long seconds() {
        return stale.maxStale().toSeconds();
    }

    @Override
    public boolean precedesOrigin() {
        String upstream = target.upstream().name();
        return policy.isStale(upstream) && OverloadAdmission.priority(state, policy, target) < stale.below();
    }
}
