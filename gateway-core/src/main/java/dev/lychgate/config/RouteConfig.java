package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One route, with its predicates, its action and its settings. The labels of a route have no effect on exchanges. */
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
        @Nullable RouteAccessLog accessLog,
        @Nullable MirrorConfig mirror,
        Map<String, String> labels,
        List<String> rateLimit,
        AccessConfig access,
        @Nullable CacheConfig cache) {
    private static final Key<String> ID = Key.typed("id", Form.NAMED, "unnamed")
            .required("a name, unique among routes")
            .unique("an id that no other route has")
            .about("the id in logs and metrics, unique among routes");
    private static final Key<Integer> ORDER = Key.number("order", 0)
            .about("the order in which routes are matched: the lowest number first. Among routes with the same number, "
                    + "the most specific route is first; among equally specific routes, the earliest route in the "
                    + "file");
    private static final Key<MatchConfig> MATCH = Key.section("match", MatchConfig.ANY, MatchConfig::read)
            .absent("any request")
            .about("the predicates of the route, all of which must match");
    private static final Key<RouteTimeouts> TIMEOUTS = Key.section(
                    "timeouts", RouteTimeouts.UNSET, RouteTimeouts::ofRoute)
            .absent("the upstream's")
            .about("the timeouts for requests of this route; the `timeouts` of the upstream replace missing keys");
    private static final Key<List<FilterConfig>> FILTERS = Key.list("filters", Form.FILTER)
            .about("the filters that run only on this route, in this order; see [filters](filters.md)");
    private static final Key<WebSocketConfig> WEB_SOCKET = Key.typed("websocket", WebSocketConfig.FORM, null)
            .absent("`false`")
            .about("the [WebSocket](websocket.md) settings of the route; `true` = all settings have their defaults");
    private static final Key<RouteAccessLog> ACCESS_LOG = Key.typed("access-log", RouteAccessLog.FORM, null)
            .absent("as for all routes")
            .about("the [access log](access-log.md#sampling) of this route; `off` = no records, not even of "
                    + "failures");

    private static final Key<MirrorConfig> MIRROR = Key.section("mirror", null, MirrorConfig::read)
            .absent("no copies")
            .about("the copies of requests that another upstream receives in addition to the upstream of the route; "
                    + "see [mirroring](mirroring.md)");

    private static final Key<Map<String, String>> LABELS = Key.texts("labels", "name")
            .about("the labels of the route, such as `team: orders`, to which the changes of "
                    + "[operators](admin.md#operators) can be limited");

    private static final Key<List<String>> RATE_LIMIT = Key.typed("rate-limit", Form.oneOrList(Form.NAMED), List.of())
            .absent("no limits")
            .about("the [rate limits](rate-limits.md) of the route, by name: each of these limits counts a request, "
                    + "after the route match and before the filters of the route");

    private static final Key<CacheConfig> CACHE = Key.section("cache", null, CacheConfig::read)
            .absent("no cache")
            .about("the [cache](cache.md) of the route's responses; `{}` for the defaults");

    public RouteConfig {
        ID.check(id);
        rateLimit = Expect.copy(rateLimit);
        labels = Expect.copy(labels);
        filters = Expect.copy(filters);
        Expect.that(
                mirror == null
                        || !(action instanceof RouteAction.Proxy proxy
                                && proxy.upstream().equals(mirror.upstream())),
                "mirror.upstream",
                mirror == null ? "" : mirror.upstream(),
                "an upstream other than the upstream of the route");
    }

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
                values.get(ACCESS_LOG),
                values.get(MIRROR),
                values.get(LABELS),
                values.get(RATE_LIMIT),
                AccessConfig.KEYS_OF_ROUTE.read(values),
                values.get(CACHE));
    }

    /** Creates a route without filters. */
    public RouteConfig(
            String id,
            int order,
            MatchConfig match,
            RewriteConfig rewrite,
            RouteAction action,
            RouteTimeouts timeouts) {
        this(id, order, match, rewrite, action, timeouts, List.of(), RouteResilience.DEFAULT, null);
    }

    /** Creates a route that accepts no WebSockets. */
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

    /** Creates a route to which the global settings of the access log apply. */
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
        this(
                id,
                order,
                match,
                rewrite,
                action,
                timeouts,
                filters,
                resilience,
                webSocket,
                null,
                null,
                Map.of(),
                List.of(),
                AccessConfig.NONE,
                null);
    }

    /** Returns this route with these filters in place of its own filters. */
    public RouteConfig withFilters(FilterConfig... those) {
        return Copy.of(this, "filters", List.of(those));
    }

    /** Returns this route with other resilience settings. */
    public RouteConfig withResilience(RouteResilience other) {
        return Copy.of(this, "resilience", other);
    }

    /** Returns this route with these WebSocket settings. */
    public RouteConfig withWebSocket(@Nullable WebSocketConfig other) {
        return Copy.of(this, "webSocket", other);
    }

    /** Returns this route with these access log settings. */
    public RouteConfig withAccessLog(@Nullable RouteAccessLog other) {
        return Copy.of(this, "accessLog", other);
    }

    /** Returns this route with these mirror settings. */
    public RouteConfig withMirror(@Nullable MirrorConfig other) {
        return Copy.of(this, "mirror", other);
    }

    /**
     * Returns this route with these rate limits.
     *
     * @param names the names of the limits
     */
    public RouteConfig withRateLimit(String... names) {
        return Copy.of(this, "rateLimit", List.of(names));
    }

    /** Returns this route with this authentication and authorization. */
    public RouteConfig withAccess(AccessConfig other) {
        return Copy.of(this, "access", other);
    }

    /** Returns this route with this cache. */
    public RouteConfig withCache(@Nullable CacheConfig other) {
        return Copy.of(this, "cache", other);
    }

    /** Returns this route with these labels. */
    public RouteConfig withLabels(Map<String, String> others) {
        return Copy.of(this, "labels", others);
    }

    /** Creates a route to an upstream, with the defaults for all other components. */
    public static RouteConfig proxy(String id, MatchConfig match, String upstream) {
        return new RouteConfig(id, 0, match, RewriteConfig.NONE, new RouteAction.Proxy(upstream), RouteTimeouts.UNSET);
    }
}
