package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
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
 * One state of everything that may change at run time. Immutable and safe to share.
 *
 * <p>Where a name in the configuration gets other addresses, another object takes over that differs in nothing but the
 * upstreams ({@link #resolved}); its number stays.
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
    private final @Nullable TraceRule traceRule;
    private final @Nullable Tracing tracing;
    private final long slowAfter;
    private final Redaction redaction;

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
            FilterChains filters) {
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
        this.traceRule = filterSet.trace().isOff() ? null : new TraceRule(filterSet.trace());
        this.tracing = config.tracing() == null ? null : new Tracing(config.tracing());
        Duration slow = config.recorder().slow();
        this.slowAfter = slow.isZero() ? Long.MAX_VALUE : slow.toNanos();
        this.redaction = new Redaction(config.accessLog().redact());
        aim();
    }

    /**
     * Builds the first generation.
     *
     * @param states what is known of its upstreams beforehand, such as what their names stand for
     * @param loops how many event loops will use it
     * @throws ConfigException if the routes or filters can't be built; nothing has changed then. If it is a filter that
     *     can't do its work, the cause is a {@link SelfCheckException}
     */
    public static Generation first(GatewayConfig config, FilterSet filters, UpstreamStates states, int loops) {
        return build(1, config, filters, states, loops, null);
    }

    /** As above, with nothing known beforehand. */
    public static Generation first(GatewayConfig config, FilterSet filters, int loops) {
        return first(config, filters, new UpstreamStates(loops), loops);
    }

    /** Builds the generation after this one. As {@link #first}; what filters have counted and what is known of endpoints is taken over. */
    public Generation next(GatewayConfig changed, FilterSet changedFilters, int loops) {
        return build(number + 1, changed, changedFilters, upstreamStates, loops, this);
    }

    private static Generation build(
            long number,
            GatewayConfig config,
            FilterSet filters,
            UpstreamStates states,
            int loops,
            @Nullable Generation previous) {
        TlsFiles files = new TlsFiles();
        Map<String, ServerTls> listenerTls = listenerTls(config, files, previous);
        Map<TlsOfOrigins, OriginTls> originTls = new HashMap<>();
        Map<String, Upstream> upstreams = new LinkedHashMap<>();
        for (UpstreamConfig upstream : config.upstreams().values()) {
            UpstreamState state = states.of(upstream.name());
            Upstream before = previous == null ? null : previous.upstream(upstream.name());
            OriginTls tls = originTls(upstream, files, originTls, previous);
            upstreams.put(upstream.name(), upstream(state.resolve(upstream), state, loops, tls, before));
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
                chains(filters, routes, loops, previous == null ? null : previous.filters));
    }

    /** How listeners speak TLS, by name: what has not changed is the same object as before. */
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

    /** @param known those of this generation so far: upstreams of the same settings share one */
    private static @Nullable OriginTls originTls(
            UpstreamConfig upstream,
            TlsFiles files,
            Map<TlsOfOrigins, OriginTls> known,
            @Nullable Generation previous) {
        if (!upstream.isSecure()) {
            return null;
        }
        OriginTlsConfig config = upstream.tls() == null ? OriginTlsConfig.DEFAULT : upstream.tls();
        List<String> protocols = upstream.pool().protocol().alpn();
        TlsOfOrigins settings = new TlsOfOrigins(config, protocols);
        OriginTls same = known.get(settings);
        if (same == null) {
            String key = "upstreams." + upstream.name() + ".tls";
            // Whoever had it: connections are kept by it, also where another upstream has come to stand before theirs.
            OriginTls before = previous == null
                    ? null
                    : previous.upstreams().stream()
                            .map(Upstream::tls)
                            .filter(tls -> tls != null && tls.isOf(config, protocols))
                            .findFirst()
                            .orElse(null);
            same = OriginTls.build(config, protocols, key, files, Instant.now(), before);
            known.put(settings, same);
        }
        return same;
    }

    private static void requireFallback(RouteConfig route, FilterSet filters) {
        String filter = route.resilience().onFailure().filter();
        if (filter != null && !filters.fallbacks().containsKey(route.id())) {
            throw new ConfigException(
                    "routes." + route.id() + ".on-failure.filter", filter, "a filter that is brought with the routes");
        }
    }

    private static Upstream upstream(
            UpstreamConfig resolved,
            UpstreamState state,
            int loops,
            @Nullable OriginTls tls,
            @Nullable Upstream before) {
        Protection protection = before == null
                ? Protection.of(resolved, loops)
                : before.protection().next(resolved);
        return new Upstream(resolved, state, protection, tls);
    }

    /**
     * This generation with the endpoints that names stand for now; itself if they are the same. It has the same number: the
     * configuration and the filters are what they were.
     */
    public Generation resolved(int loops) {
        Map<String, Upstream> now = new LinkedHashMap<>();
        boolean changed = false;
        for (Upstream upstream : upstreams.values()) {
            UpstreamConfig configured = requireNonNull(config.upstreams().get(upstream.name()));
            UpstreamConfig resolved = upstream.state().resolve(configured);
            // Without names it is the very same. To compare them links code, which nothing else of a start needs.
            boolean same = !configured.hasNames() || resolved.equals(upstream.config());
            changed |= !same;
            now.put(
                    upstream.name(),
                    same ? upstream : upstream(resolved, upstream.state(), loops, upstream.tls(), upstream));
        }
        return changed
                ? new Generation(
                        number, since, config, routes, now, listenerTls, upstreamStates, policies, filterSet, filters)
                : this;
    }

    /** Where the routes lead with these upstreams. */
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
            FilterSet filters, RouteTable routes, int loops, @Nullable FilterChains previous) {
        Set<String> ids = routes.routes().stream().map(Route::id).collect(Collectors.toSet());
        try {
            // One that stands in several lists is asked once.
            Set<Filter> once = Collections.newSetFromMap(new IdentityHashMap<>());
            filters.entries().forEach(entry -> once.add(entry.filter()));
            once.addAll(filters.fallbacks().values());
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

    /** As {@link #takeOver}, from the one that it was {@link #resolved} from: all that may have gone is addresses. */
    public void takeOverEndpoints() {
        upstreamStates.keepEndpoints(upstreams.values());
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

    /** Where listeners that only send clients on to HTTPS send them. */
    public HttpsRedirects httpsRedirects() {
        return httpsRedirects;
    }

    /** In which fields origins are told who a client has proved to be. */
    public IdentityFields identityFields() {
        return identityFields;
    }

    /** The request trailers that clients must not send in this generation. */
    public ConfiguredTrailers configuredTrailers() {
        return configuredTrailers;
    }

    /** How the listener of that name speaks TLS; null if it does not. */
    public @Nullable ServerTls serverTls(String listener) {
        return listenerTls.get(listener);
    }

    /** Says what is unsafe about TLS, or soon no longer good; in every generation, for it is not to be forgotten. */
    public void warnOfTls() {
        listenerTls.values().forEach(tls -> tls.warn(Instant.now()));
        for (Upstream upstream : upstreams.values()) {
            OriginTls tls = upstream.tls();
            if (tls != null && !tls.verifies()) {
                LOG.warn(
                        "upstream {}: certificates are NOT verified (tls.verify: false); anybody on the way can be its origin",
                        upstream.name());
            }
        }
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

    /** How exchanges take part in distributed traces; null if they don't. */
    public @Nullable Tracing tracing() {
        return tracing;
    }

    /** How long an answer may take to begin before its exchange counts as slow, in nanoseconds; {@link Long#MAX_VALUE} if none does. */
    public long slowAfter() {
        return slowAfter;
    }

    /** What no log tells of requests and answers. */
    public Redaction redaction() {
        return redaction;
    }

    /** The filters in their places. */
    public FilterChains filters() {
        return filters;
    }
}
