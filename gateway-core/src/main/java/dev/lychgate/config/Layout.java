package dev.lychgate.config;

import java.util.List;
import java.util.Map;

/**
 * Keys that say how a configuration is put together from files, groups and defaults. The reader of files resolves them before
 * any other key is read: they have no values in {@link GatewayConfig}.
 */
public final class Layout {
    /** Paths, the last part of which may be a pattern. */
    public static final Key<List<String>> INCLUDE = Key.typed("include", Form.oneOrList(Form.FILE), List.of())
            .called("list of paths, or one")
            .about(
                    "other [files](#several-files) of the same configuration; the last part of a path may be a pattern such as "
                            + "`*.yml`");

    private static final String ROUTE = "the keys of a route";
    private static final Key<Map<String, Object>> ROUTES = Key.typed(
                    "routes", Form.partial(ROUTE, "route-defaults"), Map.of())
            .about(
                    "what holds for every route that does not say otherwise: any keys of `routes[]` but `id`, `group` and those "
                            + "that say what a route does");
    private static final Key<Map<String, Object>> UPSTREAMS = Key.typed(
                    "upstreams", Form.partial("the keys of an upstream", "upstream-defaults"), Map.of())
            .about("what holds for every upstream that does not say otherwise: any keys of `upstreams.*`");

    /** What holds for all routes or all upstreams. */
    public static final Key<Boolean> DEFAULTS = Key.section("defaults", false, Layout::readDefaults)
            .absent("none")
            .about("[values](#groups-and-defaults) that routes and upstreams share");

    /** By name, what holds for the routes that name the group. */
    public static final Key<Map<String, Map<String, Object>>> GROUPS = Key.typed(
                    "groups", Form.mapping(Form.partial(ROUTE, "group"), "name"), Map.of())
            .about(
                    "[groups](#groups-and-defaults) of routes: what holds for the routes that name the group; any keys of "
                            + "`routes[]` but `id` and `group`");

    /** In a route. */
    public static final Key<String> GROUP =
            Key.typed("group", Form.NAMED, null).about("the group of `groups` that it belongs to");

    private Layout() {}

    /** Makes the keys at the top of the file known. */
    static void read(Key.Values values) {
        values.get(INCLUDE);
        values.get(DEFAULTS);
        values.get(GROUPS);
    }

    private static Boolean readDefaults(Key.Values values) {
        values.get(ROUTES);
        values.get(UPSTREAMS);
        return true;
    }
}
