package dev.lychgate.filters.groovy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;

/** A gateway and an origin that responds with the value of the received X-A. */
final class GatewayWithFilters implements AutoCloseable {
    private final ScriptedOrigin origin;
    private final Gateway gateway;
    private final GatewayConfig config;

    GatewayWithFilters(FilterSet filters) {
        origin = ScriptedOrigin.answering((request, c) -> {
            String value = request.value("x-a").orElse("none");
            c.send("HTTP/1.1 200 OK\r\nContent-Length: " + value.length() + "\r\n\r\n" + value);
        });
        config = new GatewayConfig(
                1,
                Transport.AUTO,
                GatewayConfig.DEFAULT_DRAIN,
                List.of(ListenerConfig.of("main", new BindAddress("127.0.0.1", 0))),
                List.of(RouteConfig.proxy("all", MatchConfig.ANY, "origin")),
                Map.of("origin", UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))),
                null,
                AccessLogConfig.DEFAULT);
        gateway = Gateway.start(config, filters, ExchangeObserver.NONE);
    }

    GatewayWithFilters(BuiltFilters filters) {
        this(filters.everywhere());
    }

    Gateway gateway() {
        return gateway;
    }

    void apply(FilterSet filters) {
        gateway.apply(config, filters);
    }

    RawMessage get() throws Exception {
        return get("/");
    }

    RawMessage get(String target) throws Exception {
        return exchange("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    RawMessage exchange(String request) throws Exception {
        try (RawClient client = RawClient.connect(gateway.address("main"))) {
            client.send(request);
            return client.readResponse();
        }
    }

    @Override
    public void close() throws java.io.IOException {
        gateway.close();
        origin.close();
    }
}
