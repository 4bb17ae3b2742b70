package dev.lychgate.exchange;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Route;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Arrays;

/**
 * Lets filters respond to CORS preflights before the request is authenticated and authorized, because browsers send
 * preflights without credentials. The filters that respond to preflights are the only filters that run before the
 * authentication. If none of them responds, the gateway authenticates the request. Therefore, a client cannot bypass
 * the authentication with a request in the form of a preflight.
 *
 * @see <a href="https://fetch.spec.whatwg.org/#cors-protocol-and-credentials">Fetch, 3.3.5 CORS protocol and
 *     credentials</a>
 */
final class Preflights {
    private static final FilterSlot[] NONE = {};

    private Preflights() {}

    /**
     * Returns the filters to run: for a preflight, the filters that respond to preflights, followed by {@code guards};
     * for other requests, {@code guards}.
     *
     * @param guards the authentication or the authorizers of the request
     */
    static FilterSlot[] before(FilterSlot[] guards, ExchangeState state, Loop loop) {
        if (guards.length == 0 || !isPreflight(state.requireRequestHead())) {
            return guards;
        }
        FilterSlot[] responders = responders(state, loop);
        if (responders.length == 0) {
            return guards;
        }
        FilterSlot[] both = Arrays.copyOf(responders, responders.length + guards.length);
        System.arraycopy(guards, 0, both, responders.length, guards.length);
        return both;
    }

    private static boolean isPreflight(RequestHead head) {
        return head.method().equals(HttpMethod.OPTIONS)
                && head.headers().contains(HttpHeaderNames.ORIGIN)
                && head.headers().contains(HttpHeaderNames.ACCESS_CONTROL_REQUEST_METHOD);
    }

    private static FilterSlot[] responders(ExchangeState state, Loop loop) {
        FilterChains filters = state.generation().filters();
        if (state.route() != null) {
            return state.chains().preflight();
        }
        if (filters.preflight().length > 0) {
            return filters.preflight();
        }
        // The global filters, which may change the request, have not run. The response discloses nothing but the CORS
        // policy of a route.
        Route route = state.generation()
                .routes()
                .match(state.requireRequestHead(), state, state.downstream().pathParameters(), loop.random());
        FilterSlot[] ofRoute = route == null ? NONE : filters.of(route.id()).preflight();
        if (route != null && ofRoute.length > 0) {
            // The outbound filters of the route complete the response.
            state.enter(route);
        }
        return ofRoute;
    }
}
