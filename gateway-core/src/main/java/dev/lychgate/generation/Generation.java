package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshot of everything that may change at run time. Immutable; any thread.
 *
 * <p>If the addresses of a configured name change, another object replaces this one ({@link #resolved}). It differs only in
 * its upstreams and keeps the number.
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
            @Nullable RateLimits rateLimits) {
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
        this.faults = FaultPlan.of(config.faults(), faultBoard);
        aim();
    }

    /**
     * Builds the first generation.
     *
     * @param states initial state of its upstreams, such as resolved names
     * @param loops number of event loops that will use it
     * @throws ConfigException if the routes or filters can't be built; nothing has changed then. If a filter failed its
     *     self-check, the cause is a {@link SelfCheckException}
     */
    public static Generation first(GatewayConfig config, FilterSet filters, UpstreamStates states, int loops) {
        return build(1, config, filters, states, loops, null);
    }

    /** Builds the first generation without initial state. */
    public static Generation first(GatewayConfig config, FilterSet filters, int loops) {
        return first(config, filters, new UpstreamStates(loops), loops);
    }

    /** Builds the next generation, like {@link #first}; carries over filter counters and endpoint state. */
    public Generation next(GatewayConfig changed, FilterSet changedFilters, int loops) {
        return next(number + 1, changed, changedFilters, loops);
    }

    /** Builds another generation from this one, like {@link #next(GatewayConfig, FilterSet, int)}. @param as its number */
    public Generation next(long as, GatewayConfig changed, FilterSet changedFilters, int loops) {
        return build(as, changed, changedFilters, upstreamStates, loops, this);
    }

    private static Generation build(
            long number,
            GatewayConfig config,
            FilterSet filters,
            UpstreamStates states,
            int loops,
            @Nullable Generation previous) {
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
                RateLimits.of(config, previous == null ? null : previous.rateLimits, filters.buckets()));
    }

    /** Builds the TLS of listeners, by name; unchanged objects carry over. */
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

    /** @param known objects built so far: upstreams with the same settings share one */
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
            // From any upstream: pooled connections are keyed by it, even if another upstream now comes first.
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

    /** @param before the upstream of an earlier generation @param beside the upstream of another generation in force */
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
     * Returns this generation with the current endpoints of its names; itself if they are unchanged. The number stays the
     * same, because configuration and filters do.
     *
     * @param beside another generation in force, with which state of new endpoints is shared; null if there is none
     */
    public Generation resolved(int loops, @Nullable Generation beside) {
        Map<String, Upstream> now = new LinkedHashMap<>();
        boolean changed = false;
        Map<String, UpstreamConfig> all = config.targets();
        for (Upstream upstream : upstreams.values()) {
            UpstreamConfig configured = requireNonNull(all.get(upstream.name()));
            UpstreamConfig resolved = upstream.state().resolve(configured);
            // Without names nothing changes. The comparison would link code that startup does not otherwise need.
            boolean same = !configured.hasNames() || resolved.equals(upstream.config());
            changed |= !same;
            Upstream other = beside == null ? null : beside.upstream(upstream.name());
            now.put(
                    upstream.name(),
                    same ? upstream : upstream(resolved, upstream.state(), loops, upstream.tls(), upstream, other));
        }
        return changed ? with(now, listenerTls, policies) : this;
    }

    /**
     * Returns this generation beside another stable one than before. It shares with {@code stable} all parts with the same settings:
     * certificates and keys, which may have been renewed, circuit breakers, bulkheads, limits and retry budgets. The number stays
     * the same, because configuration and filters do.
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
        return with(now, tls, own);
    }

    /** Returns the TLS that upstreams of this generation use with the settings of {@code other}; its own if there is none. */
    private @Nullable OriginTls tlsLike(Upstream other) {
        OriginTls own = other.tls();
        if (own == null) {
            return null;
        }
        OriginTls current = originTls(other.config());
        return current == null ? own : current;
    }

    /** Returns the TLS of any upstream with these settings; null if there is none. */
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
            Map<String, RoutePolicies> otherPolicies) {
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
                rateLimits);
    }

    /** Returns the rate limits; null if there are none. */
    public @Nullable RateLimits rateLimits() {
        return rateLimits;
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
            throw new ConfigException("filters", String.valueOf(e.getMessage()), "filters that can be used", e);
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
        try {
            SelfChecks.run(List.copyOf(once), SelfChecks.LIMIT);
        } catch (SelfCheckException e) {
            if (selfChecks == GateConfig.Check.REQUIRE) {
                throw e;
            }
            LOG.warn("{}; its generation takes effect, as gate.self-checks is warn", e.getMessage(), e.getCause());
        }
    }

    public long number() {
        return number;
    }

    /** Returns when it was built. */
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

    /** Returns the run-time state of the upstreams' endpoints: one object for all generations of a gateway. */
    public UpstreamStates upstreamStates() {
        return upstreamStates;
    }

    /** Returns the target of a proxying route. */
    public ProxyTarget target(Route route) {
        ProxyTarget target = targets.get(route);
        if (target == null) {
            throw new IllegalArgumentException("not a proxying route of this generation: " + route.id());
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

    /** Returns the redirects of listeners that redirect clients to HTTPS. */
    public HttpsRedirects httpsRedirects() {
        return httpsRedirects;
    }

    /** Returns the fields that carry verified client identities to origins. */
    public IdentityFields identityFields() {
        return identityFields;
    }

    /** Returns the request trailers that clients must not send in this generation. */
    public ConfiguredTrailers configuredTrailers() {
        return configuredTrailers;
    }

    /** Returns the TLS of a listener; null without TLS. */
    public @Nullable ServerTls serverTls(String listener) {
        return listenerTls.get(listener);
    }

    /** Logs warnings about insecure TLS settings and expiring certificates, for every generation. */
    public void warnOfTls() {
        listenerTls.values().forEach(tls -> tls.warn(Instant.now()));
        for (Upstream upstream : upstreams.values()) {
            OriginTls tls = upstream.tls();
            if (tls != null && !tls.verifies()) {
                LOG.warn(
                        "upstream {}: certificates are NOT verified (tls.verify: false); any peer can pose as its"
                                + " origin",
                        upstream.name());
            }
        }
    }

    /** Returns the upstream with that name; null if there is none. */
    public @Nullable Upstream upstream(String name) {
        return upstreams.get(name);
    }

    /** Returns the route with that id; null if there is none. */
    public @Nullable Route route(String id) {
        return routesById.get(id);
    }

    /** Returns the filter set that it was built from. */
    public FilterSet filterSet() {
        return filterSet;
    }

    /** Returns what counts the exchanges that may run its filters; null if they need not be counted. */
    public @Nullable FilterUse use() {
        return use;
    }

    /** An exchange begins with this generation. @param loop the index of the current event loop */
    public void began(int loop) {
        if (use != null) {
            use.began(loop);
        }
    }

    /** An exchange of this generation has ended. @param loop the index of the current event loop */
    public void ended(int loop) {
        if (use != null) {
            use.ended(loop);
        }
    }

    /** Returns the rule that selects exchanges for filter traces; null if tracing of filters is off. */
    public @Nullable TraceRule traceRule() {
        return traceRule;
    }

    /** Returns the settings of distributed tracing; null if it is off. */
    public @Nullable Tracing tracing() {
        return tracing;
    }

    /** Returns the time to the response head that makes an exchange slow, in ns; {@link Long#MAX_VALUE} if unlimited. */
    public long slowAfter() {
        return slowAfter;
    }

    /** Returns the redaction of requests and responses in logs. */
    public Redaction redaction() {
        return redaction;
    }

    /** Returns the faults that may affect requests; null if faults are not enabled. */
    public @Nullable FaultPlan faults() {
        return faults;
    }

    /** Returns the faults that outlive generations: one object for all generations of a gateway. */
    public FaultBoard faultBoard() {
        return faultBoard;
    }

    /** Returns the filter chains. */
    public FilterChains filters() {
        return filters;
    }
}
