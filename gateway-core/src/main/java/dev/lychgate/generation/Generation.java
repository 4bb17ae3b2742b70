package dev.lychgate.generation;

import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.SharedStore;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterUse;
import dev.lychgate.client.Bans;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.http.Redaction;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import dev.lychgate.tls.OriginTls;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsFiles;
import dev.lychgate.tracing.Tracing;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamStates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot of everything that a reload may change. Immutable and thread-safe, except for the counters of exchanges.
 * Each of these counters belongs to one event loop.
 *
 * <p>If the addresses of a configured host name change, {@link #resolved} returns a new object that replaces this
 * object. The new object has the number of this object and differs only in its upstreams.
 */
public final class Generation {
    private static final Logger LOG = LoggerFactory.getLogger(Generation.class);

    private final long number;
    private final Instant since;
    private final GatewayConfig config;
    private final RouteTable routes;
    private final Map<String, Route> routesById;
    private final UpstreamSet upstreams;
    private final ListenerTls listenerTls;
    private final IdentityFields identityFields;
    private final ConfiguredTrailers configuredTrailers;
    private final HttpsRedirects httpsRedirects;
    private final UpstreamStates upstreamStates;
    private final RouteTargets targets;
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
            UpstreamSet upstreams,
            ListenerTls listenerTls,
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
        this.targets = new RouteTargets(routes, upstreams, policies);
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

    /** Builds the first generation. No host name is resolved yet. */
    public static Generation first(GatewayConfig config, FilterSet filters, int loops) {
        return first(config, filters, new UpstreamStates(loops), loops);
    }

    /**
     * Builds the next generation from this one. Filter counters, endpoint state and unchanged parts carry over. See
     * {@link #first} for parameters and errors.
     */
    public Generation next(GatewayConfig changed, FilterSet changedFilters, int loops) {
        return next(number + 1, changed, changedFilters, loops);
    }

    /**
     * Builds a new generation from this generation, like {@link #next(GatewayConfig, FilterSet, int)}, but with a given
     * number.
     *
     * @param as the number of the new generation
     */
    public Generation next(long as, GatewayConfig changed, FilterSet changedFilters, int loops) {
        return build(as, changed, changedFilters, upstreamStates, loops, this, route -> true);
    }

    /**
     * Builds a candidate from this generation, like {@link #next(long, GatewayConfig, FilterSet, int)}. The candidate
     * and the stable generation are in force at the same time. They share the stored responses of a route only if, in
     * both generations, the route has the same origins and all filters are the same.
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
        ListenerTls listenerTls =
                ListenerTls.build(config, files, previous == null ? ListenerTls.empty() : previous.listenerTls);
        UpstreamSet upstreams = UpstreamSet.build(
                config.targets().values(),
                states,
                loops,
                files,
                previous == null ? UpstreamSet.empty() : previous.upstreams);
        RouteTable routes = RouteTable.build(config.routes());
        Map<String, RoutePolicies> policies =
                RouteTargets.policies(config.routes(), filters, loops, previous == null ? null : previous.targets);
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
                CheckedChains.build(filters, config, routes, loops, previous == null ? null : previous.filters),
                previous == null ? new FaultBoard(InstantSource.system()) : previous.faultBoard,
                RateLimits.of(config, previous == null ? null : previous.rateLimits, filters.buckets()),
                ClientProtections.of(
                        config,
                        previous == null ? new Bans(InstantSource.system(), System::nanoTime) : previous.clients.bans(),
                        previous == null ? null : previous.clients),
                OverloadPolicy.of(config, previous == null ? null : previous.overload),
                cacheStore,
                ResponseCaches.of(config, cacheStore, previous == null ? null : previous.caches, keepsCache));
    }

    /**
     * Returns this generation with the current addresses of its names; the same object if the addresses are unchanged.
     * The number stays the same, because configuration and filters are unchanged.
     *
     * @param beside the second generation in force, with which the state of new endpoints is shared; null if no second
     *     generation is in force
     */
    public Generation resolved(int loops, @Nullable Generation beside) {
        UpstreamSet now =
                upstreams.resolved(config.targets(), loops, beside == null ? UpstreamSet.empty() : beside.upstreams);
        return now == upstreams ? this : with(now, listenerTls, targets.policies(), clients);
    }

    /**
     * Returns this candidate for use with a new stable generation. Parts with equal settings in both generations are
     * taken from {@code stable}: circuit breakers, bulkheads, limits, retry budgets, and TLS certificates and keys. The
     * number stays the same, because configuration and filters are unchanged.
     */
    Generation beside(Generation stable, int loops) {
        return with(
                upstreams.beside(stable.upstreams, loops),
                listenerTls.beside(stable.listenerTls, config.listeners()),
                targets.policiesBeside(stable.targets, config.routes(), loops),
                clients.beside(stable.clients));
    }

    private Generation with(
            UpstreamSet otherUpstreams,
            ListenerTls otherTls,
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

    /** Returns the rate limits; null if no rate limits are configured. */
    public @Nullable RateLimits rateLimits() {
        return rateLimits;
    }

    /** Returns the stored responses. All generations of a gateway share this object. */
    public SharedStore cacheStore() {
        return cacheStore;
    }

    /** Returns the caches of the routes; null if no route has a cache. */
    public @Nullable ResponseCaches caches() {
        return caches;
    }

    /** Returns the protection against individual clients. */
    public ClientProtections clients() {
        return clients;
    }

    /** Returns the reaction to overload; null if the section {@code overload} is not configured. */
    public @Nullable OverloadPolicy overload() {
        return overload;
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
        return upstreams.all();
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
        return targets.target(route);
    }

    /** Returns the fallback target of a route; null if the route has no fallback. */
    public @Nullable ProxyTarget fallback(Route route) {
        return targets.fallback(route);
    }

    /**
     * Returns the resilience policies of a route. Throws IllegalArgumentException if the route belongs to another
     * generation.
     */
    public RoutePolicies policies(Route route) {
        return targets.policies(route);
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
        listenerTls.warn();
        for (Upstream upstream : upstreams.all()) {
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

    /**
     * Returns the target of call-outs to an upstream of this generation.
     *
     * @throws IllegalArgumentException if the upstream is of another generation
     */
    public ProxyTarget targetOfCalls(Upstream upstream) {
        return targets.ofCalls(upstream);
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
     * Returns the counter of exchanges that may run the filters of this generation; null if the exchanges need not be
     * counted.
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
     * Returns the time, in nanoseconds, after which an exchange without a response head counts as slow;
     * {@link Long#MAX_VALUE} if slow exchanges are not recorded.
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

    /** Returns the state of fault injection. All generations of a gateway share this object. */
    public FaultBoard faultBoard() {
        return faultBoard;
    }

    /** Returns the filter chains. */
    public FilterChains filters() {
        return filters;
    }
}
