package dev.lychgate;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.RecorderConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.TelemetryConfig;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.settings.NamedFilter;
import dev.lychgate.server.extensions.AdoptedFilters;
import dev.lychgate.server.filters.NamedFilters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings in code, for embedding and tests. Not thread-safe.
 *
 * <p>The defaults are the same as in the configuration file, except for the access log and the admin listener. An
 * embedded gateway has an access log or an admin listener only if it is configured, because the gateway shares its
 * process with other code.
 */
public final class LychgateBuilder {
    private final List<ListenerConfig> listeners = new ArrayList<>();
    private final List<RouteConfig> routes = new ArrayList<>();
    private final Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
    private FilterSet filters = FilterSet.EMPTY;
    private final List<Filter> named = new ArrayList<>();
    private final List<NamedFilter> withSettings = new ArrayList<>();
    private final List<Object> filtersOfZuul = new ArrayList<>();
    private final Map<String, Object> zuul = new LinkedHashMap<>();
    private FiltersConfig filtersConfig = FiltersConfig.DEFAULT;
    private AccessLogConfig accessLog =
            new AccessLogConfig(AccessLogConfig.Format.OFF, null, AccessLogConfig.DEFAULT.queue());
    private RecorderConfig recorder = RecorderConfig.DEFAULT;
    private @Nullable TracingConfig tracing;
    private MetricsConfig metrics = MetricsConfig.DEFAULT;
    private PoliciesConfig policies = PoliciesConfig.NONE;
    private @Nullable AdminConfig admin;
    private int workers;
    private Transport transport = Transport.AUTO;
    private Duration drain = GatewayConfig.DEFAULT_DRAIN;

    LychgateBuilder() {}

    /**
     * Adds a listener with default settings.
     *
     * @param address {@code host:port}; port 0 lets the system choose
     */
    public LychgateBuilder listener(String name, String address) {
        return listener(ListenerConfig.of(name, address("listeners." + name + ".address", address)));
    }

    public LychgateBuilder listener(ListenerConfig listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * Adds a route with default settings. Routes with equal ranks are tried in the order in which they were added.
     *
     * @param path exact, prefix ({@code /a/**}), template or regular expression, as in {@link MatchConfig}
     */
    public LychgateBuilder route(String id, String path, String upstream) {
        return route(RouteConfig.proxy(id, MatchConfig.path(path), upstream));
    }

    public LychgateBuilder route(RouteConfig route) {
        routes.add(route);
        return this;
    }

    /**
     * Adds an upstream with default settings.
     *
     * @param urls the endpoints of the upstream, such as {@code http://10.0.0.1:9000}
     */
    public LychgateBuilder upstream(String name, String... urls) {
        return upstream(UpstreamConfig.of(
                name,
                Arrays.stream(urls)
                        .map(url -> endpoint("upstreams." + name + ".endpoints", url))
                        .toArray(EndpointConfig[]::new)));
    }

    public LychgateBuilder upstream(UpstreamConfig upstream) {
        if (upstreams.putIfAbsent(upstream.name(), upstream) != null) {
            throw new ConfigException("upstreams", upstream.name(), "a unique upstream name");
        }
        return this;
    }

    /** Adds a filter that runs on all routes, in the phase that the filter names. */
    public LychgateBuilder filter(Filter filter) {
        filters = filters.with(List.of(filter));
        return this;
    }

    /**
     * Adds a filter that runs only on some routes, in the phase that the filter names.
     *
     * @param routes the ids of the routes on which the filter runs
     */
    public LychgateBuilder filter(Filter filter, String... routes) {
        filters = filters.with(filter, Set.of(routes));
        return this;
    }

    /**
     * Adds a filter that runs only if {@link RouteConfig#filters} or {@link FiltersConfig#global} contain its name. The
     * filter replaces a filter with the same name that {@link java.util.ServiceLoader} finds. Filters that the loader
     * finds need no call of this method.
     */
    public LychgateBuilder namedFilter(Filter filter) {
        named.add(filter);
        return this;
    }

    /**
     * Adds a filter that has settings. The filter runs only if a list of filters in the settings contains {@code name}.
     * One filter is created for each distinct set of settings. A later generation with the same settings keeps that
     * filter.
     *
     * @param settings the class of a record; each component of the record is a setting; see {@link
     *     dev.lychgate.filter.Setting}
     * @param maker creates the filter; if it throws an exception, the settings are refused
     * @throws IllegalArgumentException if a component of the record can't be a setting
     */
    public <R extends Record> LychgateBuilder namedFilter(String name, Class<R> settings, Function<R, Filter> maker) {
        withSettings.add(NamedFilter.of(name, settings, maker));
        return this;
    }

    /**
     * Adds filters of Zuul that the program has created, such as the beans {@code
     * context.getBeansOfType(ZuulFilter.class).values()} of Spring. They run in all generations. The class path must
     * contain the extension {@code zuul}, which replaces the jar of Zuul.
     *
     * @param filters objects of subclasses of {@code com.netflix.zuul.ZuulFilter}, or of a base class of Zuul 2
     */
    public LychgateBuilder zuulFilters(Collection<?> filters) {
        return zuulFilters(filters, Map.of());
    }

    /**
     * Works like {@link #zuulFilters(Collection)}, with settings that apply to all filters of Zuul.
     *
     * @param settings the keys of the section {@code extensions.zuul} with their values, such as {@code vips}, whose
     *     value is a map of texts
     */
    public LychgateBuilder zuulFilters(Collection<?> filters, Map<String, ?> settings) {
        filtersOfZuul.addAll(filters);
        zuul.putAll(settings);
        return this;
    }

    /**
     * Follows a directory of filters, as {@code filters.directory} does. The gateway builds the filters when it starts,
     * and rebuilds them when their files change.
     *
     * @param directory relative to the working directory of the process
     */
    public LychgateBuilder filters(Path directory) {
        filtersConfig = filtersConfig.in(directory.toString());
        return this;
    }

    /**
     * Sets the filter directory, the global filters and the guard. Default: no directory, no filters, and the default
     * guard.
     */
    public LychgateBuilder filters(FiltersConfig config) {
        filtersConfig = config;
        return this;
    }

    /** Sets the access log. Default: none. */
    public LychgateBuilder accessLog(AccessLogConfig config) {
        accessLog = config;
        return this;
    }

    /** Selects the exchanges that the recorder keeps. Default: exchanges that fail or take a second or more. */
    public LychgateBuilder recorder(RecorderConfig config) {
        recorder = config;
        return this;
    }

    /** Sets how exchanges take part in distributed traces. Default: exchanges do not take part in traces. */
    public LychgateBuilder tracing(TracingConfig config) {
        tracing = config;
        return this;
    }

    /** Selects the receivers of metrics in addition to the admin listener. Default: MBeans. */
    public LychgateBuilder metrics(MetricsConfig config) {
        metrics = config;
        return this;
    }

    /** Sets the rate limits, the address lists, the memory of the cache, and the sources of endpoints. */
    public LychgateBuilder policies(PoliciesConfig config) {
        this.policies = config;
        return this;
    }

    /**
     * Adds an admin listener. Default: none.
     *
     * @param address {@code host:port} on the loopback; port 0 lets the system choose
     */
    public LychgateBuilder admin(String address) {
        return admin(new AdminConfig(address("admin.address", address)));
    }

    /** Adds an admin listener. Default: none. */
    public LychgateBuilder admin(AdminConfig config) {
        admin = config;
        return this;
    }

    /** Sets the number of event loops. Default: 0, one for each CPU that the JVM may use. */
    public LychgateBuilder workers(int count) {
        workers = count;
        return this;
    }

    public LychgateBuilder transport(Transport wanted) {
        transport = wanted;
        return this;
    }

    /**
     * Sets the time limit of a drain that an operator requests; {@link Lychgate#drain} has a parameter for the limit.
     */
    public LychgateBuilder drain(Duration longest) {
        drain = longest;
        return this;
    }

    /**
     * Returns the settings so far.
     *
     * @throws ConfigException if they contradict each other
     */
    public GatewayConfig config() {
        return new GatewayConfig(
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
                        policies,
                        Map.of())
                .withFilters(filtersConfig)
                .withRecorder(recorder)
                .withTracing(tracing)
                .withMetrics(metrics);
    }

    /** Starts the gateway. Throws the same exceptions as {@link Lychgate#start(GatewayConfig)}. */
    public Lychgate start() {
        Map<String, NamedFilter> own = NamedFilters.of(named);
        withSettings.forEach(filter -> NamedFilters.add(own, filter));
        Map<String, NamedFilter> known = new LinkedHashMap<>(NamedFilters.services());
        known.putAll(own);
        FilterSet all = filters.with(AdoptedFilters.of("dev.lychgate.zuul.Zuul", filtersOfZuul, zuul));
        return Lychgate.start(config(), all, known);
    }

    private static BindAddress address(String key, String text) {
        try {
            return BindAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, text, String.valueOf(e.getMessage()));
        }
    }

    private static EndpointConfig endpoint(String key, String url) {
        try {
            return EndpointConfig.parse(url);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(key, url, String.valueOf(e.getMessage()));
        }
    }
}
