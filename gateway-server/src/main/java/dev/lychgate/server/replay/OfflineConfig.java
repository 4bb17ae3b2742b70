package dev.lychgate.server.replay;

import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.GateConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.filters.testing.OfflineExchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derives a configuration for exchanges without sockets. Each upstream has one simulated endpoint, and TLS is removed,
 * so that neither the certificates nor the host names of the production environment are needed.
 */
final class OfflineConfig {
    /**
     * Disables the self-checks of filters. The checks already ran when the filters were built, and would run again for
     * each replayed generation.
     */
    private static final GateConfig WITHOUT_CHECKS = new GateConfig(
            GateConfig.Check.OFF,
            GateConfig.Check.OFF,
            GateConfig.Check.OFF,
            GateConfig.DEFAULT.exchanges(),
            GateConfig.DEFAULT.timeout());

    private OfflineConfig() {}

    /**
     * @param recorded the route of the recorded exchange; null if unknown. If several routes share the traffic by
     *     weight, this route gets all of it
     */
    static GatewayConfig of(GatewayConfig config, @Nullable String recorded) {
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        config.upstreams().forEach((name, upstream) -> upstreams.put(name, simulated(name, upstream)));
        List<ListenerConfig> listeners = config.listeners().stream()
                .map(listener -> ListenerConfig.of(listener.name(), new BindAddress("127.0.0.1", 0)))
                .toList();
        List<RouteConfig> routes = new ArrayList<>();
        for (RouteConfig route : config.routes()) {
            routes.add(withoutChance(route, recorded));
        }
        return new GatewayConfig(
                        1,
                        config.transport(),
                        GatewayConfig.DEFAULT_DRAIN,
                        listeners,
                        routes,
                        upstreams,
                        null,
                        AccessLogConfig.DEFAULT)
                .withFilters(config.filters())
                .withPolicies(new PoliciesConfig(Map.of(), Map.of(), ClientsConfig.WITHOUT_BANS))
                .withLifecycle(LifecycleConfig.DEFAULT.with(WITHOUT_CHECKS));
    }

    private static UpstreamConfig simulated(String name, UpstreamConfig of) {
        return new UpstreamConfig(
                name,
                List.of(OfflineExchange.endpoint(name)),
                List.of(),
                List.of(),
                of.dns(),
                of.pool(),
                of.timeouts(),
                of.balance(),
                HealthConfig.NONE,
                UpstreamResilience.DEFAULT,
                of.persistence(),
                null,
                null);
    }

    private static RouteConfig withoutChance(RouteConfig route, @Nullable String recorded) {
        MatchConfig match = route.match();
        boolean loses =
                match.weight() != null && recorded != null && !route.id().equals(recorded);
        MatchConfig certain = new MatchConfig(
                loses ? List.of("not-chosen.invalid") : match.hosts(),
                match.path(),
                match.methods(),
                match.headers(),
                match.query(),
                match.cookies(),
                match.clients(),
                match.scheme(),
                match.listeners(),
                match.claims(),
                match.not(),
                match.any(),
                recorded == null ? match.weight() : null);
        RouteAction action = route.action() instanceof RouteAction.Proxy proxy
                ? new RouteAction.Proxy(proxy.upstream(), Map.of())
                : route.action();
        return new RouteConfig(
                route.id(),
                route.order(),
                certain,
                route.rewrite(),
                action,
                route.timeouts(),
                route.filters(),
                route.resilience(),
                route.webSocket(),
                route.accessLog(),
                null,
                route.labels(),
                List.of(),
                AccessConfig.NONE,
                null);
    }
}
