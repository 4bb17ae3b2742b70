package dev.lychgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One route: what it matches and what it does.
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
    private static final Key<String> ID = Key.typed("id", Form.NAMED, "unnamed")
            .required("a name, unique among routes")
            .unique("an id no other route has")
            .about("unique among routes; stands in logs and metrics");
    private static final Key<Integer> ORDER = Key.number("order", 0)
            .about("lower is tried first; then the more specific one, then the earlier one in the file");
    private static final Key<MatchConfig> MATCH = Key.section("match", MatchConfig.ANY, MatchConfig::read)
            .absent("any request")
            .about("what it matches; everything said must hold");
    private static final Key<RouteTimeouts> TIMEOUTS = Key.section(
                    "timeouts", RouteTimeouts.UNSET, RouteTimeouts::ofRoute)
            .absent("the upstream's")
            .about("how long we wait; what is left out the upstream's `timeouts` say");
    private static final Key<List<FilterConfig>> FILTERS = Key.list("filters", Form.FILTER)
            .about("filters that run on this route alone, in this order; see [filters](filters.md)");
    private static final Key<WebSocketConfig> WEB_SOCKET = Key.typed("websocket", WebSocketConfig.FORM, null)
            .absent("`false`")
            .about("whether the route takes [WebSockets](websocket.md), and which; `true` is a section of defaults");
    private static final Key<RouteAccessLog> ACCESS_LOG = Key.typed("access-log", RouteAccessLog.FORM, null)
            .absent("as all")
            .about("what the [access log](access-log.md#sampling) has of this route; `off` = nothing, not even "
                    + "what fails");

    public RouteConfig {
        ID.check(id);
        filters = Expect.copy(filters);
    }

    /** Reads a section. */
    static RouteConfig read(Key.Values values) {
        String id = values.get(ID);
        values.get(Layout.GROUP);
        return new RouteConfig(
                id,
                values.get(ORDER),
                values.get(MATCH),
                RewriteConfig.ofRoute(values),
                RouteAction.read(values),
                values.get(TIMEOUTS),
                values.get(FILTERS),
                RouteResilience.KEYS.read(values),
                values.get(WEB_SOCKET),
                values.get(ACCESS_LOG));
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
        return Copy.of(this, "filters", List.of(those));
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
