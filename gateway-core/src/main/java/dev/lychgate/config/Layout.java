package dev.lychgate.config;

import java.util.List;
import java.util.Map;

/**
 * The keys by which a user assembles a configuration from several files, groups and defaults. The file reader resolves
 * these keys before it reads any other key, so they have no values in {@link GatewayConfig}.
 */
public final class Layout {
    /** Paths of the files to include. The last part of a path may be a pattern. */
    public static final Key<List<String>> INCLUDE = Key.typed("include", Form.oneOrList(Form.FILE), List.of())
            .called("list of paths, or one")
            .about("other [files](#several-files) of the same configuration; the last part of a path may be a pattern"
                    + " such as `*.yml`");

    private static final String ROUTE = "the keys of a route";
    private static final Key<Map<String, Object>> ROUTES = Key.typed(
                    "routes", Form.partial(ROUTE, "route-defaults"), Map.of())
            .about("[defaults](#groups-and-defaults) of all routes: keys of `routes[]`, except `id`, `group`,"
                    + " `upstream`, `subset`, `redirect` and `respond`");
    private static final Key<Map<String, Object>> UPSTREAMS = Key.typed(
                    "upstreams", Form.partial("the keys of an upstream", "upstream-defaults"), Map.of())
            .about("[defaults](#groups-and-defaults) of all upstreams: keys of `upstreams.*`");

    /** Settings of all routes or all upstreams. */
    public static final Key<Boolean> DEFAULTS = Key.section("defaults", false, Layout::readDefaults)
            .absent("none")
            .about("[settings](#groups-and-defaults) of all routes or all upstreams");

    /** Settings that the routes of a group share, by group name. */
    public static final Key<Map<String, Map<String, Object>>> GROUPS = Key.typed(
                    "groups", Form.mapping(Form.partial(ROUTE, "group"), "name"), Map.of())
            .absent("none")
            .about("[settings](#groups-and-defaults) that the routes of a group share: keys of `routes[]`, except"
                    + " `id` and `group`");

    /** The group of a route. */
    public static final Key<String> GROUP =
            Key.typed("group", Form.NAMED, null).about("the group of the route, a name in `groups`");

    private Layout() {}

    /** Reads the keys of this class at the top of the file, so that the reader does not refuse them as unknown keys. */
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
