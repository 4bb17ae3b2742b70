package dev.lychgate.generation;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.filter.FilterSet;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import dev.lychgate.upstream.Upstream;
import java.time.Instant;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** One state of everything that may change at run time. Immutable and safe to share. */
public final class Generation {
    private final long number;
    private final Instant since;
    private final GatewayConfig config;
    private final RouteTable routes;
    private final Map<String, Upstream> upstreams;
    private final IdentityHashMap<Route, ProxyTarget> targets;
    private final FilterSet filters;

    private Generation(
            long number,
            GatewayConfig config,
            RouteTable routes,
            Map<String, Upstream> upstreams,
            IdentityHashMap<Route, ProxyTarget> targets,
            FilterSet filters) {
        this.number = number;
        this.since = Instant.now();
        this.config = config;
        this.routes = routes;
        this.upstreams = upstreams;
        this.targets = targets;
        this.filters = filters;
    }

    /**
     * Builds a generation.
     *
     * @param number its number; each one's is greater than the last one's
     * @param loops how many event loops will use it
     * @throws ConfigException if the routes can't be built; nothing has changed then
     */
    public static Generation build(long number, GatewayConfig config, FilterSet filters, int loops) {
        Map<String, Upstream> upstreams = new LinkedHashMap<>();
        for (UpstreamConfig upstream : config.upstreams().values()) {
            upstreams.put(upstream.name(), new Upstream(upstream, loops));
        }
        RouteTable routes = RouteTable.build(config.routes());
        IdentityHashMap<Route, ProxyTarget> targets = new IdentityHashMap<>();
        for (Route route : routes.routes()) {
            if (route.action() instanceof RouteAction.Proxy proxy) {
                Upstream upstream = upstreams.get(proxy.upstream());
                if (upstream == null) {
                    throw new ConfigException(
                            "routes." + route.id(), proxy.upstream(), "one of the upstreams " + upstreams.keySet());
                }
                targets.put(route, ProxyTarget.of(upstream, route.timeouts()));
            }
        }
        return new Generation(number, config, routes, upstreams, targets, filters);
    }

    public long number() {
        return number;
    }

    /** When it was built. */
    public Instant since() {
        return since;
    }

    public GatewayConfig config() {
        return config;
    }

    public RouteTable routes() {
        return routes;
    }

    public Collection<Upstream> upstreams() {
        return upstreams.values();
    }

    /** Where a route that proxies leads. */
    public ProxyTarget target(Route route) {
        ProxyTarget target = targets.get(route);
        if (target == null) {
            throw new IllegalArgumentException("not a proxying route of this generation: " + route.id());
        }
        return target;
    }

    public FilterSet filters() {
        return filters;
    }
}
