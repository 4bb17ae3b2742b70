package dev.lychgate.server.shadow;

import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a generation that decide about requests: the routes and the names of the upstreams. TLS, health
 * checks, circuit breakers and limits are omitted, because their state depends on requests of clients.
 *
 * @param config the reduced configuration, in which each upstream has one endpoint at the loopback address; its
 *     port identifies the upstream
 * @param upstreams the names of the upstreams, by these ports
 */
record DecidingConfig(GatewayConfig config, Map<Integer, String> upstreams) {
    static DecidingConfig of(GatewayConfig full) {
        Map<Integer, String> names = new LinkedHashMap<>();
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        full.upstreams().keySet().forEach(name -> {
            int port = names.size() + 1;
            names.put(port, name);
            upstreams.put(name, upstream(name, port));
        });
        List<ListenerConfig> listeners = full.listeners().stream()
                .map(listener -> ListenerConfig.of(listener.name(), new BindAddress("127.0.0.1", 0)))
                .toList();
        List<RouteConfig> routes = new ArrayList<>();
        full.routes().forEach(route -> routes.add(plain(route)));
        FiltersConfig filters = full.filters();
        GatewayConfig config = new GatewayConfig(
                        1,
                        full.transport(),
                        GatewayConfig.DEFAULT_DRAIN,
                        listeners,
                        routes,
                        upstreams,
                        null,
                        AccessLogConfig.DEFAULT)
                .withFilters(filters)
                .withPolicies(new PoliciesConfig(Map.of(), Map.of(), ClientsConfig.WITHOUT_BANS));
        return new DecidingConfig(config, names);
    }

    private static UpstreamConfig upstream(String name, int port) {
        return new UpstreamConfig(
                name,
                List.of(new EndpointConfig("127.0.0.1", port)),
                List.of(),
                List.of(),
                DnsConfig.DEFAULT,
                PoolConfig.DEFAULT,
                RouteTimeouts.UNSET,
                BalanceConfig.DEFAULT,
                HealthConfig.NONE,
                UpstreamResilience.DEFAULT,
                PersistenceConfig.NONE,
                null,
                null);
    }

    private static RouteConfig plain(RouteConfig of) {
        return new RouteConfig(
                of.id(),
                of.order(),
                of.match(),
                of.rewrite(),
                of.action(),
                of.timeouts(),
                of.filters(),
                RouteResilience.DEFAULT,
                of.webSocket(),
                null,
                null,
                of.labels(),
                List.of(),
                AccessConfig.NONE,
                null);
    }
}
