package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import dev.lychgate.upstream.Upstream;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Contains, for each route of a generation, the policies of the route and the upstream to which it forwards. Immutable.
 */
final class RouteTargets {
    private final Map<String, RoutePolicies> policies;
    private final IdentityHashMap<Route, ProxyTarget> targets = new IdentityHashMap<>();
    private final IdentityHashMap<Route, ProxyTarget> fallbacks = new IdentityHashMap<>();
    /** The targets of call-outs, by upstream. */
    private final IdentityHashMap<Upstream, ProxyTarget> calls = new IdentityHashMap<>();

    /** Resolves the targets of the routes. Throws ConfigException if a route names an unknown upstream. */
    RouteTargets(RouteTable routes, UpstreamSet upstreams, Map<String, RoutePolicies> policies) {
        this.policies = policies;
        upstreams.all().forEach(upstream -> calls.put(upstream, ProxyTarget.ofCall(upstream)));
        for (Route route : routes.routes()) {
            RoutePolicies own = requireNonNull(policies.get(route.id()));
            if (route.action() instanceof RouteAction.Proxy proxy) {
                targets.put(route, target(route, proxy, own, upstreams));
            }
            if (own.config().onFailure().instead() instanceof RouteAction.Proxy proxy) {
                fallbacks.put(route, target(route, proxy, own, upstreams));
            }
        }
    }

    private static ProxyTarget target(
            Route route, RouteAction.Proxy proxy, RoutePolicies policies, UpstreamSet upstreams) {
        Upstream upstream = upstreams.get(proxy.upstream());
        if (upstream == null) {
            throw new ConfigException(
                    "routes." + route.id(), proxy.upstream(), "one of the upstreams " + upstreams.names());
        }
        return ProxyTarget.of(upstream.subset(proxy.subset()), route.config().timeouts(), policies);
    }

    /**
     * Builds the resilience policies of routes, and returns them by route id.
     *
     * @param previous the targets of an earlier generation, whose state carries over; null if there is none
     */
    static Map<String, RoutePolicies> policies(
            Collection<RouteConfig> routes, FilterSet filters, int loops, @Nullable RouteTargets previous) {
        Map<String, RoutePolicies> all = new HashMap<>();
        for (RouteConfig route : routes) {
            RoutePolicies before = previous == null ? null : previous.policies.get(route.id());
            all.put(route.id(), RoutePolicies.of(route, loops, before));
            requireFallback(route, filters);
        }
        return all;
    }

    private static void requireFallback(RouteConfig route, FilterSet filters) {
        String filter = route.resilience().onFailure().filter();
        if (filter != null && !filters.fallbacks().containsKey(route.id())) {
            throw new ConfigException(
                    "routes." + route.id() + ".on-failure.filter", filter, "a filter that the gateway has loaded");
        }
    }

    /**
     * Returns the policies by route id, for a generation that is in force together with the stable generation. If a
     * route has equal settings in both generations, its policies are taken from {@code stable}.
     */
    Map<String, RoutePolicies> policiesBeside(RouteTargets stable, Collection<RouteConfig> routes, int loops) {
        Map<String, RoutePolicies> own = new HashMap<>(policies);
        for (RouteConfig route : routes) {
            RoutePolicies current = stable.policies.get(route.id());
            if (current != null && current.isOf(route, loops)) {
                own.put(route.id(), current);
            }
        }
        return own;
    }

    Map<String, RoutePolicies> policies() {
        return policies;
    }

    /**
     * Returns the target of a route that forwards to an upstream.
     *
     * @throws IllegalArgumentException if the route is of another generation or does not forward
     */
    ProxyTarget target(Route route) {
        ProxyTarget target = targets.get(route);
        if (target == null) {
            throw new IllegalArgumentException("not a forwarding route of this generation: " + route.id());
        }
        return target;
    }

    /** Returns the fallback target of a route; null if the route has no fallback. */
    @Nullable
    ProxyTarget fallback(Route route) {
        return fallbacks.get(route);
    }

    /**
     * Returns the target of call-outs to an upstream.
     *
     * @throws IllegalArgumentException if the upstream is of another generation
     */
    ProxyTarget ofCalls(Upstream upstream) {
        ProxyTarget target = calls.get(upstream);
        if (target == null) {
            throw new IllegalArgumentException("not an upstream of this generation: " + upstream.name());
        }
        return target;
    }

    /**
     * Returns the policies of a route.
     *
     * @throws IllegalArgumentException if the route is of another generation
     */
    RoutePolicies policies(Route route) {
        RoutePolicies known = policies.get(route.id());
        if (known == null) {
            throw new IllegalArgumentException("not a route of this generation: " + route.id());
        }
        return known;
    }
}
