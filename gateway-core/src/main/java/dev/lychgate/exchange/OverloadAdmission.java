package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.generation.ProxyTarget;

/** The step that sheds requests of low priority while the gateway is overloaded. */
final class OverloadAdmission {
    private OverloadAdmission() {}

    /**
     * Determines the priority of a request. Returns false if the request is shed, or if a stale response is sent
     * instead.
     */
    static boolean admits(ExchangeParts exchange, Overload overload) {
        ExchangeState state = exchange.state;
        ProxyTarget target = exchange.requireTarget();
        int priority = target.policies().config().priority();
        OverloadPolicy policy = state.generation().overload();
        if (policy != null) {
            priority = priority(state, policy, target);
            state.priority(priority);
        }
        if (!overload.sheds(priority)) {
            return true;
        }
        exchange.countShed(ErrorKind.OVERLOADED);
        GatewayError error = GatewayError.local(ErrorKind.OVERLOADED, "the gateway is overloaded");
        if (exchange.cached != null && exchange.cached.respondsToShed(error)) {
            return false;
        }
        state.shed(priority);
        exchange.fail(error);
        return false;
    }

    /** Returns the priority of a request, including the changes that filters have made so far. */
    static int priority(ExchangeState state, OverloadPolicy policy, ProxyTarget target) {
        int ofRoute = target.policies().config().priority();
        return policy.priority(
                state.requireRequestHead(), state, state.requireRoute().id(), ofRoute);
    }
}
