package dev.lychgate.perf;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Settings of a gateway with one listener and one route. */
final class SmallConfig {
    private SmallConfig() {}

    /** @param action what the route does with every request */
    static GatewayConfig of(RouteAction action, UpstreamConfig... upstreams) {
        return new GatewayConfig(
                1,
                Transport.NIO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                List.of(new RouteConfig("all", 0, MatchConfig.ANY, RewriteConfig.NONE, action, RouteTimeouts.UNSET)),
                Arrays.stream(upstreams).collect(Collectors.toMap(UpstreamConfig::name, Function.identity())),
                null,
                AccessLogConfig.DEFAULT);
    }

    /** The route itself responds to all requests. */
    static GatewayConfig answering() {
        return of(new RouteAction.Respond(200, Map.of(), "here"));
    }

    /** All requests are sent to {@code upstream}. */
    static GatewayConfig to(UpstreamConfig upstream) {
        return of(new RouteAction.Proxy(upstream.name()), upstream);
    }
}
