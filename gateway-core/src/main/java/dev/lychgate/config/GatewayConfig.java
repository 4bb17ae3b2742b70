package dev.lychgate.config;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The whole configuration, after validation: names are unique, and each reference refers to an existing name. */
public record GatewayConfig(
        int workers,
        Transport transport,
        Duration drain,
        List<ListenerConfig> listeners,
        List<RouteConfig> routes,
        Map<String, UpstreamConfig> upstreams,
        @Nullable AdminConfig admin,
        AccessLogConfig accessLog,
        FiltersConfig filters,
        @Nullable OverloadConfig overload,
        @Nullable RolloutConfig rollout,
        TelemetryConfig telemetry,
        LifecycleConfig lifecycle,
        PoliciesConfig policies,
        Map<String, ExtensionConfig> extensions)
        implements WrittenConfig.Section {
    private static final Key<Integer> WORKERS = Key.typed("workers", Form.numberOr("auto", 0), 0)
            .between(1, 1024)
            .restart()
            .about("the number of event loops; `auto` = the number of CPUs that the JVM may use");
    private static final Key<Transport> TRANSPORT = Key.choice("transport", Transport.AUTO)
            .restart()
            .about("the interface of the operating system that serves the sockets; `auto` = epoll on Linux, NIO "
                    + "elsewhere");
    private static final Key<Duration> DRAIN_TIMEOUT = Key.duration("timeout", "30s")
            .about("the time after SIGTERM in which running exchanges may complete before they are aborted; "
                    + "`0` = abort at once");
    private static final Key<Duration> DRAIN = Key.section(
                    "drain", DRAIN_TIMEOUT.otherwise(), values -> values.get(DRAIN_TIMEOUT))
            .absent("-")
            .about("the graceful shutdown on SIGTERM");
    private static final Key<List<ListenerConfig>> LISTENERS = Key.typed(
                    "listeners",
                    Form.list(Form.section(ListenerConfig::read)),
                    List.of(ListenerConfig.of("unnamed", BindAddress.LOOPBACK)))
            .called("list")
            .atLeast(1)
            .required("at least one listener")
            .about("the listeners, at least one");
    private static final Key<List<RouteConfig>> ROUTES = Key.list("routes", Form.section(RouteConfig::read))
            .called("list")
            .about("the routes; a request that matches no route is rejected with 404");
    private static final Key<Map<String, UpstreamConfig>> UPSTREAMS = Key.typed(
                    "upstreams", Form.mapping(Form.section(UpstreamConfig::read), "name"), Map.of())
            .about("the upstreams, which are named sets of endpoints; a name has at most 64 characters: letters, "
                    + "digits, `.`, `_` and `-`");
    private static final Key<AdminConfig> ADMIN = Key.section("admin", null, AdminConfig::read)
            .absent("no admin listener")
            .about("the listener for operators");
    private static final Key<AccessLogConfig> ACCESS_LOG =
            Key.section("access-log", AccessLogConfig.KEYS).about("the access log, with one record per exchange");
    private static final Key<FiltersConfig> FILTERS = Key.section("filters", FiltersConfig.KEYS)
            .about("the filters of all routes, and the settings of every filter");
    private static final Key<OverloadConfig> OVERLOAD = Key.section("overload", null, () -> OverloadConfig.KEYS)
            .absent("no shedding")
            .about("the [reaction to overload](overload.md): the gateway rejects requests with low priority when it is "
                    + "overloaded itself, and keeps a part of each bulkhead and adaptive limit for requests with high "
                    + "priority");

    private static final Key<RolloutConfig> ROLLOUT = Key.typed(
                    "rollout",
                    // Uses a lambda, so that the class of the section is loaded only if the section exists.
                    Form.<RolloutConfig>section(values -> RolloutConfig.KEYS.read(values))
                            .or(Form.words(List.of("off"), word -> null)),
                    null)
            .absent("a change takes effect at once")
            .about("the gradual rollout of a changed configuration or changed filters: the new generation receives a "
                    + "growing share of the exchanges, the running generation receives the rest, and the gateway "
                    + "compares both generations. `off` = a change takes effect at once");

    private static final Key<Map<String, ExtensionConfig>> EXTENSIONS = Key.typed(
                    "extensions", Form.mapping(Form.EXTENSION, "name"), Map.of())
            .about("the [extensions](extensions.md) in use, each with its settings; an extension without "
                    + "settings has `{}`");

    public static final Duration DEFAULT_DRAIN = DRAIN_TIMEOUT.otherwise();

    public GatewayConfig {
        WORKERS.check(workers);
        DRAIN_TIMEOUT.form().check("drain.timeout", drain);
        listeners = Expect.copy(listeners);
        routes = Expect.copy(routes);
        upstreams = Expect.copy(bound(upstreams, policies));
        upstreams.keySet().forEach(name -> Form.NAMED.check("upstreams", name));
        extensions = Expect.copy(extensions);
        LISTENERS.check(listeners);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < listeners.size(); i++) {
            String name = listeners.get(i).name();
            Expect.that(seen.add(name), "listeners[" + i + "].name", name, "a name that no other listener has");
            refersToLimits(listeners.get(i).rateLimit(), "listeners[" + i + "]", policies.rateLimits());
            refersToLists(listeners.get(i).clientProtection(), "listeners[" + i + "]", policies.addressLists());
        }
        Set<String> names = Set.copyOf(seen);
        MatchConfig traced = filters.trace().match();
        refersToListeners(traced == null ? MatchConfig.ANY : traced, "filters.trace.match.listeners", names);
        List<MatchConfig> included = rollout == null ? List.of() : rollout.include();
        for (int i = 0; i < included.size(); i++) {
            refersToListeners(included.get(i), "rollout.include[" + i + "].listeners", names);
        }
        seen.clear();
        for (int i = 0; i < routes.size(); i++) {
            RouteConfig route = routes.get(i);
            Expect.that(seen.add(route.id()), "routes[" + i + "].id", route.id(), "an id that no other route has");
            refersToListeners(route.match(), "routes[" + i + "].match.listeners", names);
            refersToLimits(route.rateLimit(), "routes[" + i + "]", policies.rateLimits());
            refersToUpstream(route.action(), "routes[" + i + "]", upstreams);
            MirrorConfig mirror = route.mirror();
            if (mirror != null) {
                refersToUpstream(new RouteAction.Proxy(mirror.upstream()), "routes[" + i + "].mirror", upstreams);
            }
            refersToUpstream(
                    route.resilience().onFailure().instead(), "routes[" + i + "].on-failure.fallback", upstreams);
        }
        lifecycle.faults().refersTo(seen, names);
        HistoryConfig history = lifecycle.history();
        Expect.that(
                history == null || !history.accessLog() || accessLog.hasEvents(),
                "history.access-log",
                true,
                "false, because access-log has neither the format json nor hec");
        lifecycle.gate().refersTo(telemetry.recording());
    }

    /**
     * Reads all sections of the configuration.
     *
     * @throws ConfigException if a value is refused; the message names the key by its path from the top of the file
     */
    public static GatewayConfig read(Key.Values values) {
        Layout.read(values);
        // Read before all lists of filters, because an extension declares filters.
        Map<String, ExtensionConfig> extensions = values.get(EXTENSIONS);
        GatewayConfig config = new GatewayConfig(
                values.get(WORKERS),
                values.get(TRANSPORT),
                values.get(DRAIN),
                values.get(LISTENERS),
                values.get(ROUTES),
                values.get(UPSTREAMS),
                values.get(ADMIN),
                values.get(ACCESS_LOG),
                values.get(FILTERS),
                values.get(OVERLOAD),
                values.get(ROLLOUT),
                TelemetryConfig.KEYS.read(values),
                LifecycleConfig.KEYS.read(values),
                PoliciesConfig.read(values),
                extensions);
        config.requireKnownSenders();
        return config;
    }

    /**
     * Refuses a configuration in which a predicate or a rate limit reads claims of requests that are not authenticated.
     * Such requests have no claims, so the predicate would never match, and the limit would count by the address of the
     * client.
     */
    private void requireKnownSenders() {
        for (int i = 0; i < routes.size(); i++) {
            RouteConfig route = routes.get(i);
            List<String> unknown = withoutAuthentication(route);
            Expect.that(
                    unknown.isEmpty() || !route.match().readsClaims(),
                    "routes[" + i + "].match.claims",
                    "the claims of the sender are unknown when routes are matched",
                    "a section authenticate at the top level, or on the listeners " + unknown
                            + ", from which the route gets requests");
            boolean known = unknown.isEmpty() || route.access().authenticate() != null;
            for (String limit : route.rateLimit()) {
                Expect.that(
                        known || !readsClaims(limit),
                        "routes[" + i + "].rate-limit",
                        limit,
                        "a section authenticate on the route, on its listeners or at the top level, because the limit "
                                + "counts by a claim");
            }
        }
        for (int i = 0; i < listeners.size(); i++) {
            for (String limit : listeners.get(i).rateLimit()) {
                Expect.that(
                        !readsClaims(limit),
                        "listeners[" + i + "].rate-limit",
                        limit,
                        "a limit that does not count by a claim: a listener counts requests before their "
                                + "authentication, so only routes can have this limit");
            }
        }
    }

    /**
     * Returns the upstreams with the settings of their sources. Loads the class {@link DiscoveryConfig} only if an
     * upstream has a source.
     */
    private static Map<String, UpstreamConfig> bound(Map<String, UpstreamConfig> upstreams, PoliciesConfig policies) {
        boolean discovers =
                upstreams.values().stream().anyMatch(each -> !each.discovered().isEmpty());
        return discovers ? DiscoveryConfig.bind(upstreams, policies.discovery()) : upstreams;
    }

    private boolean readsClaims(String limit) {
        RateLimitConfig settings = policies.rateLimits().get(limit);
        return settings != null && settings.readsClaims();
    }

    /** Returns the names of the listeners from which {@code route} gets requests that are not authenticated. */
    private List<String> withoutAuthentication(RouteConfig route) {
        List<String> accepted = route.match().listeners();
        boolean everywhere = policies.access().authenticate() != null;
        return listeners.stream()
                .filter(listener -> accepted.isEmpty() || accepted.contains(listener.name()))
                .filter(listener -> listener.authenticate() == null
                        ? !everywhere
                        : listener.authenticate().isOff())
                .map(ListenerConfig::name)
                .toList();
    }

    private static void refersToListeners(MatchConfig match, String key, Set<String> names) {
        List<String> unknown =
                match.listenersNamed().filter(name -> !names.contains(name)).toList();
        Expect.that(unknown.isEmpty(), key, unknown, "only names of configured listeners: " + new TreeSet<>(names));
    }

    private static void refersToLimits(List<String> named, String section, Map<String, RateLimitConfig> limits) {
        for (String name : named) {
            Expect.that(
                    limits.containsKey(name),
                    section + ".rate-limit",
                    name,
                    "one of the rate-limits " + limits.keySet());
        }
    }

    private static void refersToLists(
            @Nullable ClientProtectionConfig protection, String section, Map<String, AddressListConfig> lists) {
        if (protection != null) {
            protection
                    .lists()
                    .filter(name -> !lists.containsKey(name))
                    .forEach(name -> Expect.that(
                            false, section + ".client-protection", name, "one of the address-lists " + lists.keySet()));
        }
    }

    private static void refersToUpstream(
            @Nullable RouteAction action, String key, Map<String, UpstreamConfig> upstreams) {
        if (action instanceof RouteAction.Proxy proxy) {
            UpstreamConfig upstream = upstreams.get(proxy.upstream());
            Expect.that(
                    upstream != null,
                    key + ".upstream",
                    proxy.upstream(),
                    "one of the upstreams " + upstreams.keySet());
            Expect.that(
                    upstream == null || upstream.hasSubset(proxy.subset()),
                    key + ".subset",
                    proxy.subset(),
                    "metadata of an endpoint of " + proxy.upstream());
        }
    }

    /**
     * Creates settings without filters, without a reaction to overload and without a rollout. The telemetry and
     * lifecycle settings have their defaults.
     */
    public GatewayConfig(
            int workers,
            Transport transport,
            Duration drain,
            List<ListenerConfig> listeners,
            List<RouteConfig> routes,
            Map<String, UpstreamConfig> upstreams,
            @Nullable AdminConfig admin,
            AccessLogConfig accessLog) {
        this(
                workers,
                transport,
                drain,
                listeners,
                routes,
                upstreams,
                admin,
                accessLog,
                FiltersConfig.DEFAULT,
                null,
                null,
                TelemetryConfig.DEFAULT,
                LifecycleConfig.DEFAULT,
                PoliciesConfig.NONE,
                Map.of());
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        section.put(DRAIN.name(), Map.of(DRAIN_TIMEOUT.name(), Durations.print(drain)));
    }

    /** Returns, by name, the configured upstreams and the upstreams for the origins that filters may call. */
    public Map<String, UpstreamConfig> targets() {
        if (filters.callOuts().isEmpty()) {
            return upstreams;
        }
        Map<String, UpstreamConfig> all = new LinkedHashMap<>(upstreams);
        filters.callOuts().stream().map(CallOutConfig::upstream).forEach(each -> all.put(each.name(), each));
        return all;
    }

    /**
     * Returns whether the configuration has a section for authentication or authorization, even if the section disables
     * authentication.
     */
    public boolean hasAuthentication() {
        return !policies.access().isNone()
                || routes.stream().anyMatch(route -> !route.access().isNone())
                || listeners.stream().anyMatch(listener -> listener.authenticate() != null);
    }

    /** Returns all authenticators and authorizers that the top level, a listener or a route configures. */
    public Stream<FilterConfig> guards() {
        return Stream.of(
                        Stream.of(policies.access()),
                        routes.stream().map(RouteConfig::access),
                        listeners.stream().map(listener -> new AccessConfig(listener.authenticate(), List.of())))
                .flatMap(all -> all)
                .flatMap(AccessConfig::guards);
    }

    /** Returns whether at least one listener splices bodies. */
    public boolean splices() {
        return listeners.stream().anyMatch(l -> l.socket().splice().bytes() > 0);
    }

    /** Returns the settings for the application log. They apply only if the gateway runs as a standalone process. */
    public LogConfig log() {
        return telemetry.log();
    }

    /** Returns the metrics settings. */
    public MetricsConfig metrics() {
        return telemetry.metrics();
    }

    /** Returns the fault injection settings. */
    public FaultsConfig faults() {
        return lifecycle.faults();
    }

    /** Returns the recorder settings. */
    public RecorderConfig recorder() {
        return telemetry.recorder();
    }

    /** Returns the settings of the recording; null = no recording. */
    public @Nullable RecordConfig recording() {
        return telemetry.recording();
    }

    /** Returns the settings of distributed tracing; null = no tracing. */
    public @Nullable TracingConfig tracing() {
        return telemetry.tracing();
    }

    /** Returns these settings with other filter settings. */
    public GatewayConfig withFilters(FiltersConfig others) {
        return Copy.of(this, "filters", others);
    }

    /** Returns these settings with another reaction to overload; null = none. */
    public GatewayConfig withOverload(@Nullable OverloadConfig other) {
        return Copy.of(this, "overload", other);
    }

    /**
     * Returns these settings with another rollout.
     *
     * @param other null = changes take effect immediately
     */
    public GatewayConfig withRollout(@Nullable RolloutConfig other) {
        return Copy.of(this, "rollout", other);
    }

    /**
     * Returns these settings with another admin listener.
     *
     * @param other null = no admin listener
     */
    public GatewayConfig withAdmin(@Nullable AdminConfig other) {
        return Copy.of(this, "admin", other);
    }

    /** Returns these settings with other metrics settings. */
    public GatewayConfig withMetrics(MetricsConfig other) {
        return Copy.of(this, "telemetry", Copy.of(telemetry, "metrics", other));
    }

    /** Returns these settings with other recorder settings. */
    public GatewayConfig withRecorder(RecorderConfig other) {
        return Copy.of(this, "telemetry", Copy.of(telemetry, "recorder", other));
    }

    /** Returns these settings with other tracing settings. */
    public GatewayConfig withTracing(@Nullable TracingConfig other) {
        return Copy.of(this, "telemetry", Copy.of(telemetry, "tracing", other));
    }

    /** Returns these settings with another recording; null = none. */
    public GatewayConfig withRecording(@Nullable RecordConfig other) {
        return Copy.of(this, "telemetry", Copy.of(telemetry, "recording", other));
    }

    /** Returns these settings with other policies. */
    public GatewayConfig withPolicies(PoliciesConfig others) {
        return Copy.of(this, "policies", others);
    }

    /** Returns these settings with other lifecycle settings. */
    public GatewayConfig withLifecycle(LifecycleConfig other) {
        return Copy.of(this, "lifecycle", other);
    }
}
