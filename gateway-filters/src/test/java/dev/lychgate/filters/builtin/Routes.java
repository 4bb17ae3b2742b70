package dev.lychgate.filters.builtin;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import java.util.List;
import java.util.Map;

/** Settings of a gateway with one route. */
final class Routes {
    private Routes() {}

    /** All requests are sent to this port of the loopback. */
    static GatewayConfig to(int port, Cidr... trusted) {
        ListenerConfig d = ListenerConfig.of("main", new BindAddress("127.0.0.1", 0));
        ListenerConfig listener = new ListenerConfig(
                d.name(),
                d.address(),
                d.socket(),
                d.limits(),
                d.timeouts(),
                d.paths(),
                d.protocols(),
                d.http2(),
                List.of(trusted),
                d.clientAddress(),
                d.forwarded(),
                d.tls(),
                d.redirectToHttps(),
                d.proxyProtocol(),
                d.rateLimit(),
                d.clientProtection(),
                d.authenticate());
        return new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(listener),
                List.of(RouteConfig.proxy("all", MatchConfig.ANY, "origin")),
                Map.of("origin", UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", port))),
                null,
                AccessLogConfig.DEFAULT);
    }
}
