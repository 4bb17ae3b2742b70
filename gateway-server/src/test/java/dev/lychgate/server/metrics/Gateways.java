package dev.lychgate.server.metrics;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import java.util.List;
import java.util.Map;

/** Settings of a gateway on two loops with one upstream. */
public final class Gateways {
    private Gateways() {}

    /** Route {@code api} leads {@code /api/**} to {@code live} on this port of the loopback. */
    public static GatewayConfig to(int port) {
        return to(port, "api");
    }

    static GatewayConfig to(int port, String routeId) {
        return new GatewayConfig(
                2,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                List.of(RouteConfig.proxy(routeId, MatchConfig.path("/api/**"), "live")),
                Map.of("live", UpstreamConfig.of("live", new EndpointConfig("127.0.0.1", port))),
                null,
                AccessLogConfig.DEFAULT);
    }
}
