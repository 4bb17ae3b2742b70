package dev.lychgate.config;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is configured, checked: names are unique and refer to something.
 *
 * @param workers event loops; 0 = as many as the JVM may use CPUs, the default
 * @param transport the system interface under the sockets; default {@link Transport#AUTO}
 * @param drain how long SIGTERM waits for running exchanges before it cuts them; default 30s
 * @param listeners at least one
 * @param routes in the order of the file; may be empty: everything is then answered 404
 * @param upstreams by name
 * @param admin the admin listener; null = none
 * @param accessLog the access log
 * @param filters the filters of all routes, and what holds for every filter
 * @param shedding when requests are refused because the gateway has too much to do; null = never, the default
 * @param telemetry what the gateway tells of itself and its exchanges
 * @param lifecycle how the process runs and when it gives up
 */
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
        @Nullable SheddingConfig shedding,
        TelemetryConfig telemetry,
        LifecycleConfig lifecycle) {
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(30);

    public GatewayConfig {
        Expect.between(0, 1024, "workers", workers);
        Expect.notNegative("drain", drain);
        listeners = Expect.copy(listeners);
        routes = Expect.copy(routes);
        upstreams = Expect.copy(upstreams);
        Expect.that(!listeners.isEmpty(), "listeners", "[]", "at least one listener");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < listeners.size(); i++) {
            String name = listeners.get(i).name();
            Expect.that(seen.add(name), "listeners[" + i + "].name", name, "a name no other listener has");
        }
        seen.clear();
        for (int i = 0; i < routes.size(); i++) {
            RouteConfig route = routes.get(i);
            Expect.that(seen.add(route.id()), "routes[" + i + "].id", route.id(), "an id no other route has");
            refersToUpstream(route.action(), "routes[" + i + "]", upstreams);
            refersToUpstream(
                    route.resilience().onFailure().instead(), "routes[" + i + "].on-failure.fallback", upstreams);
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

    /** Settings with the usual filters, which are none, no shedding, and the usual telemetry and lifecycle. */
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
                TelemetryConfig.DEFAULT,
                LifecycleConfig.DEFAULT);
    }

    /** Whether bodies are spliced, on one listener at least. */
    public boolean splices() {
        return listeners.stream().anyMatch(l -> l.socket().splice().bytes() > 0);
    }

    /** The application log of a process that serves alone. */
    public LogConfig log() {
        return telemetry.log();
    }

    /** Where what is counted is shown, beside the admin listener. */
    public MetricsConfig metrics() {
        return telemetry.metrics();
    }

    /** Which exchanges have their whole story kept. */
    public RecorderConfig recorder() {
        return telemetry.recorder();
    }

    /** How exchanges take part in distributed traces; null if they don't. */
    public @Nullable TracingConfig tracing() {
        return telemetry.tracing();
    }

    /** These settings with others for filters. */
    public GatewayConfig withFilters(FiltersConfig others) {
        return with(others, shedding, telemetry, lifecycle);
    }

    /** These settings with others for overload. */
    public GatewayConfig withShedding(@Nullable SheddingConfig other) {
        return with(filters, other, telemetry, lifecycle);
    }

    /** These settings with another application log. */
    public GatewayConfig withLog(LogConfig other) {
        return with(filters, shedding, telemetry.with(other), lifecycle);
    }

    /** These settings with others for what is counted. */
    public GatewayConfig withMetrics(MetricsConfig other) {
        return with(filters, shedding, telemetry.with(other), lifecycle);
    }

    /** These settings with others for the stories of exchanges. */
    public GatewayConfig withRecorder(RecorderConfig other) {
        return with(filters, shedding, telemetry.with(other), lifecycle);
    }

    /** These settings with others for traces. */
    public GatewayConfig withTracing(@Nullable TracingConfig other) {
        return with(filters, shedding, telemetry.withTracing(other), lifecycle);
    }

    /** These settings with another lifecycle. */
    public GatewayConfig withLifecycle(LifecycleConfig other) {
        return with(filters, shedding, telemetry, other);
    }

    private GatewayConfig with(
            FiltersConfig ofFilters,
            @Nullable SheddingConfig ofOverload,
            TelemetryConfig ofTelemetry,
            LifecycleConfig ofProcess) {
        return new GatewayConfig(
                workers,
                transport,
                drain,
                listeners,
                routes,
                upstreams,
                admin,
                accessLog,
                ofFilters,
                ofOverload,
                ofTelemetry,
                ofProcess);
    }
}
