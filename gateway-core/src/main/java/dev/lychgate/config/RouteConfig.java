package dev.lychgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One route: what it matches and what it does.
 *
 * @param id unique among routes; stands in logs and metrics
 * @param order lower is tried first; default 0
 * @param match what it matches
 * @param rewrite what it changes on the way
 * @param action what it does
 * @param timeouts how long we wait, where it differs from the upstream's
 * @param filters filters that run on this route alone, in this order where their own order is the same
 * @param resilience what it does about failures and overload
 * @param webSocket which WebSockets it takes; null = none, the default
 * @param accessLog what the access log has of it; null = what it has of all, the default
 */
public record RouteConfig(
        String id,
        int order,
        MatchConfig match,
        RewriteConfig rewrite,
        RouteAction action,
        RouteTimeouts timeouts,
        List<FilterConfig> filters,
        RouteResilience resilience,
        @Nullable WebSocketConfig webSocket,
        @Nullable RouteAccessLog accessLog) {
    public RouteConfig {
        Expect.name("id", id);
        filters = Expect.copy(filters);
    }

    /** A route without filters. */
    public RouteConfig(
            String id,
            int order,
            MatchConfig match,
            RewriteConfig rewrite,
            RouteAction action,
            RouteTimeouts timeouts) {
        this(id, order, match, rewrite, action, timeouts, List.of(), RouteResilience.DEFAULT, null);
    }

    /** A route that takes no WebSockets. */
    public RouteConfig(
            String id,
            int order,
            MatchConfig match,
            RewriteConfig rewrite,
            RouteAction action,
            RouteTimeouts timeouts,
            List<FilterConfig> filters,
            RouteResilience resilience) {
        this(id, order, match, rewrite, action, timeouts, filters, resilience, null);
    }

    /** A route of which the access log has what it has of all. */
    public RouteConfig(
            String id,
            int order,
            MatchConfig match,
            RewriteConfig rewrite,
            RouteAction action,
            RouteTimeouts timeouts,
            List<FilterConfig> filters,
            RouteResilience resilience,
            @Nullable WebSocketConfig webSocket) {
        this(id, order, match, rewrite, action, timeouts, filters, resilience, webSocket, null);
    }

    /** This route with these filters in place of its own. */
    public RouteConfig withFilters(FilterConfig... those) {
        return new RouteConfig(
                id, order, match, rewrite, action, timeouts, List.of(those), resilience, webSocket, accessLog);
    }

    /** This route with other answers to failures and overload. */
    public RouteConfig withResilience(RouteResilience other) {
        return new RouteConfig(id, order, match, rewrite, action, timeouts, filters, other, webSocket, accessLog);
    }

    /** This route, taking these WebSockets. */
    public RouteConfig withWebSocket(@Nullable WebSocketConfig other) {
        return new RouteConfig(id, order, match, rewrite, action, timeouts, filters, resilience, other, accessLog);
    }

    /** This route, with that in the access log. */
    public RouteConfig withAccessLog(@Nullable RouteAccessLog other) {
        return new RouteConfig(id, order, match, rewrite, action, timeouts, filters, resilience, webSocket, other);
    }

    /** A route to an upstream, with every default. */
    public static RouteConfig proxy(String id, MatchConfig match, String upstream) {
        return new RouteConfig(id, 0, match, RewriteConfig.NONE, new RouteAction.Proxy(upstream), RouteTimeouts.UNSET);
    }
}
