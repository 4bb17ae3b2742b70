package dev.lychgate.filters.testing;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of a gateway that has the routes and upstreams a test speaks of, and no others. */
final class TestSettings {
    /** Matches nothing: a name that no request is for. */
    private static final MatchConfig NOTHING =
            new MatchConfig(List.of("nobody.invalid"), null, List.of(), Map.of(), Map.of(), List.of(), null);

    private final @Nullable String route;
    private final String upstream;
    private final Set<String> routes = new LinkedHashSet<>();
    private final Set<String> upstreams = new LinkedHashSet<>();

    /** @param route matches every request; null = none does. @param upstream what all routes ask */
    TestSettings(@Nullable String route, String upstream) {
        this.route = route;
        this.upstream = upstream;
        upstreams.add(upstream);
    }

    /** There are these routes, too. */
    void routes(Collection<String> ids) {
        routes.addAll(ids);
    }

    /** There are these upstreams, too. */
    void upstreams(Collection<String> names) {
        upstreams.addAll(names);
    }

    GatewayConfig config() {
        List<RouteConfig> all = new ArrayList<>();
        if (route != null) {
            all.add(RouteConfig.proxy(route, MatchConfig.ANY, upstream));
        }
        for (String id : routes) {
            if (!id.equals(route)) {
                all.add(RouteConfig.proxy(id, NOTHING, upstream));
            }
        }
        Map<String, UpstreamConfig> named = new LinkedHashMap<>();
        for (String name : upstreams) {
            named.put(name, UpstreamConfig.of(name, new EndpointConfig(name + ".invalid", 80)));
        }
        return new GatewayConfig(
                1,
                Transport.NIO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("test", new BindAddress("127.0.0.1", 0))),
                all,
                named,
                null,
                AccessLogConfig.DEFAULT);
    }
}
