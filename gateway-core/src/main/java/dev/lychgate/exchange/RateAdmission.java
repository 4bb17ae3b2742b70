package dev.lychgate.exchange;

import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.loop.Loop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts a request against the rate limits of a listener or a route. The request may wait for the store of a shared
 * limit.
 */
record RateAdmission(
        ExchangeParts exchange, Loop loop, @Nullable String route, Runnable next) {
    /**
     * Counts the request.
     *
     * @param route the route of the limits; null if the limits belong to a listener
     * @param next continues the exchange after it has waited for a store
     * @return whether the exchange continues immediately; if false, the exchange has failed, or waits
     */
    static boolean admits(
            ExchangeParts exchange, Loop loop, List<RateLimit> limits, @Nullable String route, Runnable next) {
        RequestHead head = exchange.state.requireRequestHead();
        RateAdmission admission = new RateAdmission(exchange, loop, route, next);
        return admission.follows(exchange.rates().count(limits, head, exchange.state, route));
    }

    private boolean follows(CountedRates.Verdict verdict) {
        CountedRates rates = exchange.rates();
        switch (verdict) {
            case ADMITTED -> {
                rates.meter(exchange.state, loop);
                return true;
            }
            case REFUSED -> {
                countLimited(exchange.state);
                exchange.failureHandler().retryAfter(rates.retryAfter());
                exchange.fail(rates.refusal());
            }
            case UNDECIDED ->
                AwaitedRate.begin(exchange, loop, question -> {
                    RequestHead head = exchange.state.requireRequestHead();
                    if (follows(rates.onResponse(question, head, exchange.state, route))) {
                        next.run();
                    }
                });
        }
        return false;
    }

    private static void countLimited(ExchangeState state) {
        OverloadPolicy policy = state.generation().overload();
        String upstream = policy == null ? null : state.upstreamOfRoute();
        if (policy != null && upstream != null) {
            policy.limited(upstream);
        }
    }
}
