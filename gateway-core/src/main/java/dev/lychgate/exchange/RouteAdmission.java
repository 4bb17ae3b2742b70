package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.Guards;

/** The step that applies the limits of the route. */
final class RouteAdmission {
    private RouteAdmission() {}

    /**
     * Acquires the permits of the route for WebSockets and concurrent requests. Returns false if a permit is not
     * available.
     */
    static boolean admits(ExchangeParts exchange, Loop loop) {
        RoutePolicies policies = exchange.requireTarget().policies();
        Guards guards = policies.guards(loop.index());
        boolean webSocket = exchange.state.requireRequestHead().protocol() != null;
        if (guards == Guards.NONE && !webSocket) {
            return true;
        }
        RoutePlaces places = new RoutePlaces(loop);
        exchange.places = places;
        GatewayError refusal = webSocket ? places.enterTunnels(policies.webSocket(), exchange.state) : null;
        if (refusal != null) {
            exchange.fail(refusal);
            return false;
        }
        Admission refused = places.enter(guards, exchange.state.share());
        if (refused != null) {
            exchange.onExhausted(
                    GatewayError.local(refused.refusedWith(), "the route has reached its limit of concurrent requests"),
                    refused.retryAfterSeconds());
        }
        return refused == null;
    }
}
