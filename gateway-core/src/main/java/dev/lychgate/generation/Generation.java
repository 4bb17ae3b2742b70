package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;

import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.SharedStore;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.client.Bans;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.config.GateConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.http.Redaction;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.resilience.Protection;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import dev.lychgate.tls.OriginTls;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsFiles;
import dev.lychgate.tracing.Tracing;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamState;
import dev.lychgate.upstream.UpstreamStates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshot of everything that a reload may change. Immutable and thread-safe, except that exchanges are counted per event loop.
 *
 * <p>If the addresses of a configured name change, another object replaces this one ({@link #resolved}). The other object has
 * the same number and differs only in its upstreams.
 */
public final class Generation {
    private static final Logger LOG = LoggerFactory.getLogger(Generation.class);

    private final long number;
    private final Instant since;
    private final GatewayConfig config;
    private final RouteTable routes;
    private final Map<String, Route> routesById;
    private final Map<String, Upstream> upstreams;
    private final Map<String, ServerTls> listenerTls;
    private final IdentityFields identityFields;
    private final ConfiguredTrailers configuredTrailers;
    private final HttpsRedirects httpsRedirects;
    private final UpstreamStates upstreamStates;
    private final IdentityHashMap<Route, ProxyTarget> targets = new IdentityHashMap<>();
    private final IdentityHashMap<Route, ProxyTarget> fallbacks = new IdentityHashMap<>();
    private final Map<String, RoutePolicies> policies;
    private final FilterSet filterSet;
    private final FilterChains filters;
    private final @Nullable FilterUse use;
    private final @Nullable TraceRule traceRule;
    private final @Nullable Tracing tracing;
    private final long slowAfter;
    private final Redaction redaction;
    private final FaultBoard faultBoard;
    private final @Nullable FaultPlan faults;
    private final @Nullable RateLimits rateLimits;
    private final ClientProtections clients;
    private final @Nullable OverloadPolicy overload;
    private final SharedStore cacheStore;
    private final @Nullable ResponseCaches caches;

    private Generation(
            long number,
            Instant since,
            GatewayConfig config,
            RouteTable routes,
            Map<String, Upstream> upstreams,
            Map<String, ServerTls> listenerTls,
            UpstreamStates upstreamStates,
            Map<String, RoutePolicies> policies,
            FilterSet filterSet,
            FilterChains filters,
            FaultBoard faultBoard,
            @Nullable RateLimits rateLimits,
            ClientProtections clients,
            @Nullable OverloadPolicy overload,
            SharedStore cacheStore,
            @Nullable ResponseCaches caches) {
        this.number = number;
        this.since = since;
        this.config = config;
        this.routes = routes;
        this.routesById = routes.routes().stream().collect(Collectors.toUnmodifiableMap(Route::id, route -> route));
        this.upstreams = upstreams;
        this.listenerTls = listenerTls;
        this.identityFields = IdentityFields.of(config);
        this.configuredTrailers = ConfiguredTrailers.of(config, filterSet.trace(), identityFields);
        this.httpsRedirects = HttpsRedirects.of(config);
        this.upstreamStates = upstreamStates;
        this.policies = policies;
        this.filterSet = filterSet;
        this.filters = filters;
        this.use = filterSet.inUse();
        this.traceRule = filterSet.trace().isOff() ? null : new TraceRule(filterSet.trace());
        this.tracing = config.tracing() == null ? null : new Tracing(config.tracing());
        Duration slow = config.recorder().slow();
        this.slowAfter = slow.isZero() ? Long.MAX_VALUE : slow.toNanos();
        this.redaction = new Redaction(config.accessLog().redact());
        this.faultBoard = faultBoard;
        this.rateLimits = rateLimits;
        this.clients = clients;
        this.overload = overload;
        this.cacheStore = cacheStore;
        this.caches = caches;
        this.faults = FaultPlan.of(config.faults(), faultBoard);
        aim();
    }

    /**
     * Builds the first generation.
     *
     * @param states the initial state of the upstreams, such as resolved names
     * @param loops the number of event loops that use the generation
     * @throws ConfigException if the configuration or the filters are invalid. If a filter failed its self-check, the
     *     cause is a {@link SelfCheckException}
     */
    public static Generation first(GatewayConfig config, FilterSet filters, UpstreamStates states, int loops) {
        return build(1, config, filters, states, loops, null, route -> true);
    }

    /** Builds the first generation; no name is resolved yet. */
    public static Generation first(GatewayConfig config, FilterSet filters, int loops) {
        return first(config, filters, new UpstreamStates(loops), loops);
    }

    /**
     * Builds the next generation, like {@link #first}. Filter counters, endpoint state and unchanged parts carry over.
     */
    public Generation next(GatewayConfig changed, FilterSet changedFilters, int loops) {
        return next(number + 1, changed, changedFilters, loops);
    }

    /**
     * Builds another generation from this one, like {@link #next(GatewayConfig, FilterSet, int)}.
     *
     * @param as the number of the new generation
     */
    public Generation next(long as, GatewayConfig changed, FilterSet changedFilters, int loops) {
        return build(as, changed, changedFilters, upstreamStates, loops, this, route -> true);
    }

    /**
     * Builds a candidate from this generation, like {@link #next(long, GatewayConfig, FilterSet, int)}. Both are in force at the same
     * time, so a route shares stored responses only if its origins and all filters are the same.
     */
    public Generation candidate(long as, GatewayConfig changed, FilterSet changedFilters, int loops) {
        boolean sameFilters = filterSet.entries().equals(changedFilters.entries())
                && filterSet.properties().equals(changedFilters.properties());
        return build(
                as,
                changed,
                changedFilters,
                upstreamStates,
                loops,
                this,
                route -> sameFilters && upstreamOf(route, changed).equals(upstreamOf(route, config)));
    }

    private static Optional<UpstreamConfig> upstreamOf(RouteConfig route, GatewayConfig config) {
        return route.action() instanceof RouteAction.Proxy proxy
                ? Optional.ofNullable(config.targets().get(proxy.upstream()))
                : Optional.empty();
    }

    private static Generation build(
            long number,
            GatewayConfig config,
            FilterSet filters,
            UpstreamStates states,
            int loops,
            @Nullable Generation previous,
            Predicate<RouteConfig> keepsCache) {
        FilterUse use = filters.inUse();
        if (use != null) {
            use.prepare(loops);
        }
        TlsFiles files = new TlsFiles();
        Map<String, ServerTls> listenerTls = listenerTls(config, files, previous);
        Map<TlsOfOrigins, OriginTls> originTls = new HashMap<>();
        Map<String, Upstream> upstreams = new LinkedHashMap<>();
        for (UpstreamConfig upstream : config.targets().values()) {
            UpstreamState state = states.of(upstream.name());
            Upstream before = previous == null ? null : previous.upstream(upstream.name());
            OriginTls tls = originTls(upstream, files, originTls, previous);
            upstreams.put(upstream.name(), upstream(state.resolve(upstream), state, loops, tls, before, null));
        }
        RouteTable routes = RouteTable.build(config.routes());
        Map<String, RoutePolicies> policies = new HashMap<>();
        for (RouteConfig route : config.routes()) {
            RoutePolicies before = previous == null ? null : previous.policies.get(route.id());
            policies.put(route.id(), RoutePolicies.of(route, loops, before));
            requireFallback(route, filters);
        }
        SharedStore cacheStore = previous == null ? new SharedStore() : previous.cacheStore;
        return new Generation(
                number,
                Instant.now(),
                config,
                routes,
                upstreams,
                listenerTls,
                states,
                policies,
                filters,
                chains(
                        filters,
                        routes,
                        loops,
                        previous == null ? null : previous.filters,
                        config.filters().budget(),
                        config.lifecycle().gate().selfChecks()),
                previous == null ? new FaultBoard(InstantSource.system()) : previous.faultBoard,
                RateLimits.of(config, previous == null ? null : previous.rateLimits, filters.buckets()),
                ClientProtections.of(
                        config,
                        previous == null ? new Bans(InstantSource.system()) : previous.clients.bans(),
                        previous == null ? null : previous.clients),
                OverloadPolicy.of(config, previous == null ? null : previous.overload),
                cacheStore,
                ResponseCaches.of(config, cacheStore, previous == null ? null : previous.caches, keepsCache));
    }

    /** Builds the TLS objects of listeners, by listener name. Objects with unchanged settings and files carry over. */
    private static Map<String, ServerTls> listenerTls(
            GatewayConfig config, TlsFiles files, @Nullable Generation previous) {
        Map<String, ServerTls> all = new HashMap<>();
        List<ListenerConfig> listeners = config.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            TlsConfig tls = listeners.get(i).tls();
            if (tls != null) {
                String name = listeners.get(i).name();
                ServerTls before = previous == null ? null : previous.serverTls(name);
                String key = "listeners[" + i + "].tls";
                List<String> protocols = listeners.get(i).protocols().stream()
                        .map(ListenerProtocol::alpn)
                        .toList();
                all.put(name, ServerTls.build(name, tls, protocols, key, files, Instant.now(), before));
            }
        }
        return all;
    }

    private record TlsOfOrigins(OriginTlsConfig config, List<String> protocols) {}

    /**
     * Returns the TLS object of an upstream; null if the upstream does not use TLS.
     *
     * @param known the objects built so far; upstreams with the same settings share one object
     */
    private static @Nullable OriginTls originTls(
            UpstreamConfig upstream,
            TlsFiles files,
            Map<TlsOfOrigins, OriginTls> known,
            @Nullable Generation previous) {
        if (!upstream.isSecure()) {
            return null;
        }
        OriginTlsConfig config = settings(upstream);
        List<String> protocols = upstream.pool().protocol().alpn();
        TlsOfOrigins settings = new TlsOfOrigins(config, protocols);
        OriginTls same = known.get(settings);
        if (same == null) {
            String key = "upstreams." + upstream.name() + ".tls";
            // The object may come from any upstream with these settings. Reusing it keeps pooled connections, because
            // the object is part of their key.
            OriginTls before = previous == null ? null : previous.originTls(upstream);
            same = OriginTls.build(config, protocols, key, files, Instant.now(), before);
            known.put(settings, same);
        }
        return same;
    }

    private static void requireFallback(RouteConfig route, FilterSet filters) {
        String filter = route.resilience().onFailure().filter();
        if (filter != null && !filters.fallbacks().containsKey(route.id())) {
            throw new ConfigException(
                    "routes." + route.id() + ".on-failure.filter", filter, "a filter that is supplied with the routes");
        }
    }

    /**
     * Builds an upstream.
     *
     * @param before the same upstream in an earlier generation, from which the protection carries over; null if there is none
     * @param beside the same upstream in the other generation in force, with which protection is shared; null if there is none
     */
    private static Upstream upstream(
            UpstreamConfig resolved,
            UpstreamState state,
            int loops,
            @Nullable OriginTls tls,
            @Nullable Upstream before,
            @Nullable Upstream beside) {
        Protection protection;
        if (before == null) {
            protection = Protection.of(resolved, loops);
        } else if (beside == null) {
            protection = before.protection().next(resolved);
        } else {
            protection = before.protection().next(resolved, beside.protection());
        }
        return new Upstream(resolved, state, protection, tls);
    }

    /**
     * Returns this generation with the current addresses of its names; the same object if the addresses are unchanged.
     * The number stays the same, because configuration and filters are unchanged.
     *
     * @param beside the other generation in force, with which the state of new endpoints is shared; null if there is none
     */
    public Generation resolved(int loops, @Nullable Generation beside) {
        Map<String, Upstream> now = new LinkedHashMap<>();
        boolean changed = false;
        Map<String, UpstreamConfig> all = config.targets();
        for (Upstream upstream : upstreams.values()) {
            UpstreamConfig configured = requireNonNull(all.get(upstream.name()));
            UpstreamConfig resolved = upstream.state().resolve(configured);
            // An upstream without names can't change. Skipping the comparison avoids loading classes that startup does
            // not otherwise need.
            boolean same = !configured.hasNames() || resolved.equals(upstream.config());
            changed |= !same;
            Upstream other = beside == null ? null : beside.upstream(upstream.name());
            now.put(
                    upstream.name(),
                    same ? upstream : upstream(resolved, upstream.state(), loops, upstream.tls(), upstream, other));
        }
        return changed ? with(now, listenerTls, policies, clients) : this;
    }

    /**
     * Returns this candidate for use with another stable generation. The result shares all parts that have the same
     * settings with {@code stable}: certificates and keys, which may have been renewed, circuit breakers, bulkheads,
     * limits and retry budgets. The number stays the same, because configuration and filters are unchanged.
     */
    Generation beside(Generation stable, int loops) {
        Map<String, Upstream> now = new LinkedHashMap<>();
        for (Upstream upstream : upstreams.values()) {
            now.put(
                    upstream.name(),
                    upstream(
                            upstream.config(),
                            upstream.state(),
                            loops,
                            stable.tlsLike(upstream),
                            upstream,
                            stable.upstream(upstream.name())));
        }
        Map<String, ServerTls> tls = new HashMap<>(listenerTls);
        for (ListenerConfig listener : config.listeners()) {
            ServerTls current = stable.listenerTls.get(listener.name());
            if (current != null && current.isOf(listener.tls())) {
                tls.put(listener.name(), current);
            }
        }
        Map<String, RoutePolicies> own = new HashMap<>(policies);
        for (RouteConfig route : config.routes()) {
            RoutePolicies current = stable.policies.get(route.id());
            if (current != null && current.isOf(route, loops)) {
                own.put(route.id(), current);
            }
        }
        return with(now, tls, own, clients.beside(stable.clients));
    }

    /**
     * Returns the TLS object that this generation has for the settings of {@code other}. If it has none, returns the object
     * that {@code other} has.
     */
    private @Nullable OriginTls tlsLike(Upstream other) {
        OriginTls own = other.tls();
        if (own == null) {
            return null;
        }
        OriginTls current = originTls(other.config());
        return current == null ? own : current;
    }

    /**
     * Returns the TLS object of an upstream of this generation with the same TLS settings as {@code like}; null if
     * there is none.
     */
    private @Nullable OriginTls originTls(UpstreamConfig like) {
        OriginTlsConfig settings = settings(like);
        List<String> protocols = like.pool().protocol().alpn();
        return upstreams.values().stream()
                .map(Upstream::tls)
                .filter(tls -> tls != null && tls.isOf(settings, protocols))
                .findFirst()
                .orElse(null);
    }

    private static OriginTlsConfig settings(UpstreamConfig of) {
        return of.tls() == null ? OriginTlsConfig.DEFAULT : of.tls();
    }

    private Generation with(
            Map<String, Upstream> otherUpstreams,
            Map<String, ServerTls> otherTls,
            Map<String, RoutePolicies> otherPolicies,
            ClientProtections otherClients) {
        return new Generation(
                number,
                since,
                config,
                routes,
                otherUpstreams,
                otherTls,
                upstreamStates,
                otherPolicies,
                filterSet,
                filters,
                faultBoard,
                rateLimits,
                otherClients,
                overload,
                cacheStore,
                caches);
    }

    /** Returns the rate limits; null if none are configured. */
    public @Nullable RateLimits rateLimits() {
        return rateLimits;
    }

    /** Returns the stored responses. All generations of a gateway share this object. */
    public SharedStore cacheStore() {
        return cacheStore;
    }

    /** Returns the caches of the routes; null if no route has one. */
    public @Nullable ResponseCaches caches() {
        return caches;
    }

    /** Returns the protection against single clients. */
    public ClientProtections clients() {
        return clients;
    }

    /** Returns the reaction to overload; null if none is configured. */
    public @Nullable OverloadPolicy overload() {
        return overload;
    }

    /** Resolves the targets of the routes. */
    private void aim() {
        for (Route route : routes.routes()) {
            RoutePolicies own = requireNonNull(policies.get(route.id()));
            if (route.action() instanceof RouteAction.Proxy proxy) {
                targets.put(route, target(route, proxy, own));
            }
            if (own.config().onFailure().instead() instanceof RouteAction.Proxy proxy) {
                fallbacks.put(route, target(route, proxy, own));
            }
        }
    }

    private ProxyTarget target(Route route, RouteAction.Proxy proxy, RoutePolicies policies) {
        Upstream upstream = upstreams.get(proxy.upstream());
        if (upstream == null) {
            throw new ConfigException(
                    "routes." + route.id(), proxy.upstream(), "one of the upstreams " + upstreams.keySet());
        }
        return ProxyTarget.of(upstream.subset(proxy.subset()), route.config().timeouts(), policies);
    }

    private static FilterChains chains(
            FilterSet filters,
            RouteTable routes,
            int loops,
            @Nullable FilterChains previous,
            FilterBudget budget,
            GateConfig.Check selfChecks) {
        Set<String> ids = routes.routes().stream().map(Route::id).collect(Collectors.toSet());
        try {
            check(filters, selfChecks);
            return FilterChains.build(filters, ids, loops, previous, budget);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("filters", String.valueOf(e.getMessage()), "filters without this error", e);
        }
    }

    private static void check(FilterSet filters, GateConfig.Check selfChecks) {
        if (selfChecks == GateConfig.Check.OFF) {
            return;
        }
        // A filter in several lists is checked once.
        Set<Filter> once = Collections.newSetFromMap(new IdentityHashMap<>());
        filters.entries().forEach(entry -> once.add(entry.filter()));
        once.addAll(filters.fallbacks().values());
        filters.access().allAuthorizers().forEach(once::add);
        try {
            SelfChecks.run(List.copyOf(once), SelfChecks.LIMIT);
        } catch (SelfCheckException e) {
            if (selfChecks == GateConfig.Check.REQUIRE) {
                throw e;
            }
            LOG.warn(
                    "{}; the generation takes effect nevertheless, because gate.self-checks is warn",
                    e.getMessage(),
                    e.getCause());
        }
    }

    public long number() {
        return number;
    }

    /** Returns the time at which this generation was built. */
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

    /** Returns the run-time state of the upstreams' endpoints. All generations of a gateway share this object. */
    public UpstreamStates upstreamStates() {
        return upstreamStates;
    }

    /**
     * Returns the target of a route that forwards to an upstream.
     *
     * @throws IllegalArgumentException if the route is of another generation or does not forward
     */
    public ProxyTarget target(Route route) {
        ProxyTarget target = targets.get(route);
        if (target == null) {
            throw new IllegalArgumentException("not a forwarding route of this generation: " + route.id());
        }
        return target;
    }

    /** Returns the fallback target of a route; null if it has none. */
    public @Nullable ProxyTarget fallback(Route route) {
        return fallbacks.get(route);
    }

    /** Returns the resilience policies of a route. */
    public RoutePolicies policies(Route route) {
        RoutePolicies known = policies.get(route.id());
        if (known == null) {
            throw new IllegalArgumentException("not a route of this generation: " + route.id());
        }
        return known;
    }

    /** Returns the redirects for listeners that redirect clients to HTTPS. */
    public HttpsRedirects httpsRedirects() {
        return httpsRedirects;
    }

    /** Returns the header fields that carry verified client identities to origins. */
    public IdentityFields identityFields() {
        return identityFields;
    }

    /** Returns the names of request trailers that this generation removes. */
    public ConfiguredTrailers configuredTrailers() {
        return configuredTrailers;
    }

    /** Returns the TLS object of a listener; null if the listener does not use TLS. */
    public @Nullable ServerTls serverTls(String listener) {
        return listenerTls.get(listener);
    }

    /** Logs warnings about insecure TLS settings and expiring certificates of this generation. */
    public void warnOfTls() {
        listenerTls.values().forEach(tls -> tls.warn(Instant.now()));
        for (Upstream upstream : upstreams.values()) {
            OriginTls tls = upstream.tls();
            if (tls != null && !tls.verifies()) {
                LOG.warn(
                        "upstream {}: certificates of origins are NOT verified (tls.verify: false), so any machine on the"
                                + " network path can impersonate an origin",
                        upstream.name());
            }
        }
    }

    /** Returns the upstream with this name; null if there is none. */
    public @Nullable Upstream upstream(String name) {
        return upstreams.get(name);
    }

    /** Returns the route with this id; null if there is none. */
    public @Nullable Route route(String id) {
        return routesById.get(id);
    }

    /** Returns the filter set from which this generation was built. */
    public FilterSet filterSet() {
        return filterSet;
    }

    /**
     * Returns the counter of exchanges that may run the filters of this generation; null if they need not be counted.
     */
    public @Nullable FilterUse use() {
        return use;
    }

    /**
     * Counts the beginning of an exchange with this generation.
     *
     * @param loop the index of the current event loop
     */
    public void began(int loop) {
        if (use != null) {
            use.began(loop);
        }
    }

    /**
     * Counts the end of an exchange with this generation.
     *
     * @param loop the index of the current event loop
     */
    public void ended(int loop) {
        if (use != null) {
            use.ended(loop);
        }
    }

    /** Returns the rule that selects exchanges for filter traces; null if tracing of filters is off. */
    public @Nullable TraceRule traceRule() {
        return traceRule;
    }

    /** Returns the settings of distributed tracing; null if distributed tracing is off. */
    public @Nullable Tracing tracing() {
        return tracing;
    }

    /**
     * Returns the wait for the response head after which an exchange is slow, in nanoseconds; {@link Long#MAX_VALUE} if
     * slow exchanges are not recorded.
     */
    public long slowAfter() {
        return slowAfter;
    }

    /** Returns the redaction of sensitive values in logs. */
    public Redaction redaction() {
        return redaction;
    }

    /** Returns the faults that may affect requests; null if faults are not enabled. */
    public @Nullable FaultPlan faults() {
        return faults;
    }

    /**
     * Returns the state of fault injection that outlives generations. All generations of a gateway share this object.
     */
    public FaultBoard faultBoard() {
        return faultBoard;
    }

    /** Returns the filter chains. */
    public FilterChains filters() {
        return filters;
    }
}
