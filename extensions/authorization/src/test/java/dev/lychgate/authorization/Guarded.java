package dev.lychgate.authorization;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.Filter;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A gateway in this process with one authorizer, an origin, and the upstream {@code authz} of an authorization service. */
final class Guarded implements AutoCloseable {
    final ScriptedOrigin origin;
    private final Gateway gateway;

    private Guarded(ScriptedOrigin origin, Gateway gateway) {
        this.origin = origin;
        this.gateway = gateway;
    }

    /** Starts a gateway. @param settings the settings of ext-authz, without its upstream */
    static Guarded start(InetSocketAddress service, Map<String, Object> settings) throws Exception {
        return start(service, settings, "");
    }

    /** @param options further settings of the service's upstream */
    static Guarded start(InetSocketAddress service, Map<String, Object> settings, String options) throws Exception {
        return start(service, settings, options, "");
    }

    /** @param listener further settings of the listener */
    static Guarded start(InetSocketAddress service, Map<String, Object> settings, String options, String listener)
            throws Exception {
        ScriptedOrigin origin =
                ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("origin")));
        return start(origin, service, settings, options, listener, "");
    }

    /** Starts a gateway that stores responses. The origin responds with the number of the request and its field {@code x-user}. */
    static Guarded storing(InetSocketAddress service, Map<String, Object> settings) throws Exception {
        AtomicInteger requests = new AtomicInteger();
        ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> connection.send(Responses.of(
                200,
                requests.incrementAndGet() + " " + request.value("x-user").orElse("nobody"),
                "Cache-Control: max-age=60")));
        return start(origin, service, settings, "", "", ", cache: {}");
    }

    private static Guarded start(
            ScriptedOrigin origin,
            InetSocketAddress service,
            Map<String, Object> settings,
            String options,
            String listener,
            String route)
            throws Exception {
        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", """
                    listeners: [{ name: main, address: "127.0.0.1:0" %s }]
                    workers: 1
                    routes: [{ id: api, upstream: origin %s }]
                    upstreams:
                      origin: { endpoints: ["http://127.0.0.1:%d"] }
                      authz: { endpoints: ["http://127.0.0.1:%d"] %s }
                    """.formatted(listener, route, origin.port(), service.getPort(), options))
                .config();
        Filter authorizer = new ExtAuthz(settings(settings), "ext-authz");
        return new Guarded(
                origin, Gateway.start(config, FilterSet.EMPTY.with(List.of(authorizer)), ExchangeObserver.NONE));
    }

    static ExtAuthzSettings settings(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.putIfAbsent("upstream", "authz");
        // Machines that run several builds at once need longer than the default.
        all.putIfAbsent("timeout", Duration.ofSeconds(20));
        return ExtAuthzSettings.KEYS.read(PlainValues.of(all));
    }

    InetSocketAddress address() {
        return gateway.address("main");
    }

    RawMessage send(String request) throws Exception {
        try (RawClient client = RawClient.connect(gateway.address("main"))) {
            return client.send(request).readResponse();
        }
    }

    RawMessage get(String target, String... fieldLines) throws Exception {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: shop.example:8080\r\n");
        for (String line : fieldLines) {
            request.append(line).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    RawMessage post(String body) throws Exception {
        return send("POST /orders HTTP/1.1\r\nHost: shop.example\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body);
    }

    @Override
    public void close() {
        gateway.close();
        origin.close();
    }
}
