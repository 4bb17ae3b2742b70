package dev.lychgate.zuul;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.filter.BodyNeed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The section {@code extensions.zuul}. */
record ZuulSettings(
        Map<String, String> vips,
        Map<String, String> routeHosts,
        ByteSize bodyLimit,
        Duration timeout,
        @Nullable String properties,
        List<String> buffer,
        List<String> keep) {
    private static final Key<Map<String, String>> VIPS = Key.texts("vips", "name")
            .about("the upstream for each value of `routeVIP` and `serviceId` that filters set");
    private static final Key<Map<String, String>> ROUTE_HOSTS = Key.texts("route-hosts", "origin")
            .about(
                    "the upstream for each origin, such as `http://10.0.0.5:8080`, that filters set with `setRouteHost`");
    private static final Key<ByteSize> BODY_LIMIT = Key.size("body-limit", "1MiB")
            .between("1KiB", (BodyNeed.MOST >> 20) + "MiB")
            .about("the maximum length of a body that the gateway keeps for a filter that reads the body");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "30s").between("1ms", "1h").about("the timeout of one run of a filter");
    private static final Key<String> PROPERTIES = Key.file("properties")
            .absent("no properties")
            .about(
                    "the Java properties file with the properties that `DynamicPropertyFactory` returns; the gateway handles"
                            + " a change of this file like a change of the configuration");
    private static final Key<List<String>> BUFFER = Key.list("buffer", Form.TEXT)
            .about(
                    "the names of further filters for which the gateway keeps bodies; needed if a filter reads a body in a"
                            + " way that the gateway cannot detect in the code of the filter");
    private static final Key<List<String>> KEEP = Key.list("keep", Form.TEXT)
            .about(
                    "the names of [filters that the gateway ignores](#left-out-filters) by default, because it does their"
                            + " work itself; the gateway runs the named filters nevertheless");

    static final Keys<ZuulSettings> KEYS =
            Keys.of(ZuulSettings::new, VIPS, ROUTE_HOSTS, BODY_LIMIT, TIMEOUT, PROPERTIES, BUFFER, KEEP);
}
