package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterChains;
import dev.lychgate.filter.FilterSet;
import dev.lychgate.resilience.Protection;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamStates;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One state of everything that may change at run time. Immutable and safe to share. */
public final class Generation {
    private final long number;
    private final Instant since;
    private final GatewayConfig config;
    private final RouteTable routes;
    private final Map<String, Route> routesById;
    private final Map<String, Upstream> upstreams;
    private final UpstreamStates upstreamStates;
    private final IdentityHashMap<Route, ProxyTarget> targets;
    private final IdentityHashMap<Route, ProxyTarget> fallbacks;
    private final Map<String, RoutePolicies> policies;
    private final FilterSet filterSet;
    private final FilterChains filters;
    private final @Nullable TraceRule traceRule;

    private Generation(
            long number,
            GatewayConfig config,
            RouteTable routes,
            Map<String, Upstream> upstreams,
            UpstreamStates upstreamStates,
            IdentityHashMap<Route, ProxyTarget> targets,
            IdentityHashMap<Route, ProxyTarget> fallbacks,
            Map<String, RoutePolicies> policies,
            FilterSet filterSet,
            FilterChains filters) {
        this.number = number;
        this.since = Instant.now();
        this.config = config;
        this.routes = routes;
        this.routesById = routes.routes().stream().collect(Collectors.toUnmodifiableMap(Route::id, route -> route));
        this.upstreams = upstreams;
        this.upstreamStates = upstreamStates;
        this.targets = targets;
        this.fallbacks = fallbacks;
        this.policies = policies;
        this.filterSet = filterSet;
        this.filters = filters;
        this.traceRule = filterSet.trace().isOff() ? null : new TraceRule(filterSet.trace());
    }

    /**
     * Builds the first generation.
     *
     * @param loops how many event loops will use it
     * @throws ConfigException if the routes or filters can't be built; nothing has changed then. If it is a filter that
     *     can't do its work, the cause is a {@link SelfCheckException}
     */
    public static Generation first(GatewayConfig config, FilterSet filters, int loops) {
        return build(1, config, filters, loops, null);
    }

    /** Builds the generation after this one. As {@link #first}; what filters have counted and what is known of endpoints is taken over. */
    public Generation next(GatewayConfig changed, FilterSet changedFilters, int loops) {
        return build(number + 1, changed, changedFilters, loops, this);
    }

    private static Generation build(
            long number, GatewayConfig config, FilterSet filters, int loops, @Nullable Generation previous) {
        UpstreamStates states = previous == null ? new UpstreamStates(loops) : previous.upstreamStates;
        Map<String, Upstream> upstreams = new LinkedHashMap<>();
        for (UpstreamConfig upstream : config.upstreams().values()) {
            Upstream before = previous == null ? null : previous.upstream(upstream.name());
            Protection protection = before == null
                    ? Protection.of(upstream, loops)
                    : before.protection().next(upstream);
            upstreams.put(upstream.name(), new Upstream(upstream, states.of(upstream.name()), protection));
        }
        RouteTable routes = RouteTable.build(config.routes());
        IdentityHashMap<Route, ProxyTarget> targets = new IdentityHashMap<>();
        Map<String, RoutePolicies> policies = new HashMap<>();
        for (RouteConfig route : config.routes()) {
            RoutePolicies before = previous == null ? null : previous.policies.get(route.id());
            policies.put(route.id(), RoutePolicies.of(route.resilience(), loops, before));
        }
        IdentityHashMap<Route, ProxyTarget> fallbacks = new IdentityHashMap<>();
        for (Route route : routes.routes()) {
            RoutePolicies own = requireNonNull(policies.get(route.id()));
            if (route.action() instanceof RouteAction.Proxy proxy) {
                targets.put(route, target(route, proxy, own, upstreams));
            }
            if (own.onFailure().instead() instanceof RouteAction.Proxy proxy) {
                fallbacks.put(route, target(route, proxy, own, upstreams));
            }
        }
        return new Generation(
                number,
                config,
                routes,
                upstreams,
                states,
                targets,
                fallbacks,
                policies,
                filters,
                chains(filters, routes, loops, previous == null ? null : previous.filters));
    }

    private static ProxyTarget target(
            Route route, RouteAction.Proxy proxy, RoutePolicies policies, Map<String, Upstream> upstreams) {
        Upstream upstream = upstreams.get(proxy.upstream());
        if (upstream == null) {
            throw new ConfigException(
                    "routes." + route.id(), proxy.upstream(), "one of the upstreams " + upstreams.keySet());
        }
        return ProxyTarget.of(upstream.subset(proxy.subset()), route.timeouts(), policies);
    }

    private static FilterChains chains(
            FilterSet filters, RouteTable routes, int loops, @Nullable FilterChains previous) {
        Set<String> ids = routes.routes().stream().map(Route::id).collect(Collectors.toSet());
        try {
            // One that stands in several lists is asked once.
            Set<Filter> once = Collections.newSetFromMap(new IdentityHashMap<>());
            filters.entries().forEach(entry -> once.add(entry.filter()));
            SelfChecks.run(List.copyOf(once), SelfChecks.LIMIT);
            return FilterChains.build(filters, ids, loops, previous);
        } catch (IllegalArgumentException e) {
            ConfigException refused =
                    new ConfigException("filters", String.valueOf(e.getMessage()), "filters that can be used");
            refused.initCause(e);
            throw refused;
        }
    }

    /** It becomes the one that new exchanges meet: what is known of endpoints that it does not name may be forgotten. */
    public void takeOver() {
        upstreamStates.keep(upstreams.values());
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

    /** What is known of the upstreams' endpoints at run time: one object for all generations of a gateway. */
    public UpstreamStates upstreamStates() {
        return upstreamStates;
    }

    /** Where a route that proxies leads. */
    public ProxyTarget target(Route route) {
        ProxyTarget target = targets.get(route);
        if (target == null) {
            throw new IllegalArgumentException("not a proxying route of this generation: " + route.id());
        }
        return target;
    }

    /** Where a route turns to when its upstream has failed; null if it turns nowhere. */
    public @Nullable ProxyTarget fallback(Route route) {
        return fallbacks.get(route);
    }

    /** What a route does about failures and overload. */
    public RoutePolicies policies(Route route) {
        RoutePolicies known = policies.get(route.id());
        if (known == null) {
            throw new IllegalArgumentException("not a route of this generation: " + route.id());
        }
        return known;
    }

    /** The upstream of that name; null if there is none. */
    public @Nullable Upstream upstream(String name) {
        return upstreams.get(name);
    }

    /** The route with that id; null if there is none. */
    public @Nullable Route route(String id) {
        return routesById.get(id);
    }

    /** The filters as they were given. */
    public FilterSet filterSet() {
        return filterSet;
    }

    /** Which exchanges have their filters traced; null if none have. */
    public @Nullable TraceRule traceRule() {
        return traceRule;
    }

    /** The filters in their places. */
    public FilterChains filters() {
        return filters;
    }
}
