package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.OverloadPolicy;

/** The step that sheds requests of low priority while the gateway is overloaded. */
final class OverloadAdmission {
    private OverloadAdmission() {}

    /** Determines the priority of a request. Returns false if it is shed, or if a stale response is sent instead. */
    static boolean admits(ExchangeParts exchange, Overload overload) {
        ExchangeState state = exchange.state;
        int priority = exchange.requireTarget().policies().config().priority();
        OverloadPolicy policy = state.generation().overload();
        if (policy != null) {
            priority = policy.priority(
                    state.requireRequestHead(), state, state.requireRoute().id(), priority);
            state.priority(priority);
        }
        if (!overload.sheds(priority)) {
            return true;
        }
        if (exchange.cached != null && exchange.cached.respondsDespite(null)) {
            return false;
        }
        state.shed(priority);
        exchange.countShed(ErrorKind.OVERLOADED);
        exchange.fail(GatewayError.local(ErrorKind.OVERLOADED, "the gateway is overloaded"));
        return false;
    }
}
