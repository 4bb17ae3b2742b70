package dev.lychgate.exchange;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import org.jspecify.annotations.Nullable;

/** The steps that choose the route of a request, and then the target of the route. */
final class RouteChoice {
    private RouteChoice() {}

    /**
     * Enters the route that a filter has chosen, or else the first route that matches. Returns false if there is no
     * such route.
     */
    static boolean finds(ExchangeParts exchange, Loop loop) {
        ExchangeState state = exchange.state;
        state.become(Phase.ROUTING);
        Route chosen = exchange.filtering().takeRoute();
        if (chosen != null) {
            enter(state, chosen);
            return true;
        }
        RequestHead head = state.requireRequestHead();
        ParameterPolicy parameters = state.downstream().pathParameters();
        RouteTable routes = state.generation().routes();
        if (parameters == ParameterPolicy.AUTO && routes.isEvasion(head, state)) {
            exchange.fail(GatewayError.downstream(ErrorKind.BAD_PATH, RouteTable.EVASION));
            return false;
        }
        Route route = routes.match(head, state, parameters, loop.random());
        if (route == null) {
            exchange.fail(GatewayError.downstream(ErrorKind.NO_ROUTE, "no route matches this request"));
            return false;
        }
        enter(state, route);
        return true;
    }

    /**
     * Enters another route, if a filter of the current route has chosen it. Returns false if the request stays on its
     * route.
     */
    static boolean changes(ExchangeParts exchange) {
        Route another = exchange.filtering().takeRoute();
        if (another == null) {
            return false;
        }
        enter(exchange.state, another);
        return true;
    }

    private static void enter(ExchangeState state, Route route) {
        state.become(Phase.FILTERING_REQUEST);
        state.enter(route);
    }

    /**
     * Determines the target of the request. Returns false if the route itself responds, or if the request is rejected
     * because of its path.
     */
    static boolean needsOrigin(ExchangeParts exchange) {
        Route route = exchange.state.requireRoute();
        RequestHead head = exchange.state.requireRequestHead();
        Generation generation = exchange.state.generation();
        ProxyTarget ofRoute = route.action() instanceof RouteAction.Proxy ? generation.target(route) : null;
        ProxyTarget target = exchange.filtering().target(route, ofRoute);
        if (target == null) {
            respond(exchange, LocalResponses.of(route, head));
            return false;
        }
        if (route.forwardsAmbiguous(head)) {
            exchange.fail(GatewayError.downstream(
                    ErrorKind.BAD_PATH,
                    "the path has a dot segment after an empty segment, and the route would forward the raw path"));
            return false;
        }
        if (generation.routes().isEvasionByDots(route, head, exchange.state)) {
            exchange.fail(GatewayError.downstream(
                    ErrorKind.BAD_PATH, "the path has dot segments that bypass a guarded route"));
            return false;
        }
        exchange.target = target;
        return true;
    }

    /**
     * Sends a local response.
     *
     * @param local the response; null if the response would be a redirect, but the request has no usable host
     */
    static void respond(ExchangeParts exchange, LocalResponses.@Nullable LocalResponse local) {
        if (local == null) {
            exchange.fail(GatewayError.downstream(
                    ErrorKind.BAD_HOST, "the redirect requires a valid Host header in the request"));
        } else {
            exchange.relay.respond(local.head(), local.body());
        }
    }
}
