package dev.lychgate.server.cli;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.Codec;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.WebSocketConfig;
import java.util.List;
import java.util.Map;

/** The settings of {@code demo}. */
final class DemoConfig {
    /** Not the default: whoever tries it is to see both origins. */
    private static final BalanceConfig IN_TURN = BalanceConfig.of(Algorithm.ROUND_ROBIN);

    private DemoConfig() {}

    static GatewayConfig of(int port, int adminPort, List<Integer> origins) {
        EndpointConfig[] endpoints =
                origins.stream().map(p -> new EndpointConfig("127.0.0.1", p)).toArray(EndpointConfig[]::new);
        return new GatewayConfig(
                        0,
                        Transport.AUTO,
                        Codec.DEFAULT,
                        GatewayConfig.DEFAULT_DRAIN,
                        List.of(ListenerConfig.of("demo", new BindAddress("127.0.0.1", port))),
                        List.of(
                                fixed(
                                        "welcome",
                                        "/welcome",
                                        new RouteAction.Respond(
                                                200,
                                                Map.of("content-type", "text/plain; charset=utf-8"),
                                                "Welcome to Lychgate.\n")),
                                fixed("moved", "/old/**", new RouteAction.Redirect(308, "/welcome{query}")),
                                RouteConfig.proxy("demo", MatchConfig.path("/**"), "demo")
                                        .withWebSocket(WebSocketConfig.DEFAULT)
                                        .withFilters(
                                                new FilterConfig("cors", Map.of("origins", List.of("*"))),
                                                header("x-served-by", "lychgate"))),
                        Map.of("demo", UpstreamConfig.of("demo", endpoints).withBalance(IN_TURN)),
                        new AdminConfig(new BindAddress("127.0.0.1", adminPort)),
                        AccessLogConfig.DEFAULT)
                .withFilters(FiltersConfig.global(FilterConfig.of("request-id"), header("x-frame-options", "DENY")));
    }

    private static FilterConfig header(String name, String value) {
        return new FilterConfig("set-response-header", Map.of("name", name, "value", value));
    }

    private static RouteConfig fixed(String id, String path, RouteAction action) {
        return new RouteConfig(id, 0, MatchConfig.path(path), RewriteConfig.NONE, action, RouteTimeouts.UNSET);
    }
}
