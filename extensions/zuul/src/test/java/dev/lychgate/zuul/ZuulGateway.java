package dev.lychgate.zuul;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;

/** A gateway in this process with filters of Zuul. Its route sends all requests to one origin. */
final class ZuulGateway implements AutoCloseable {
    private static final String IMPORTS = """
            import com.netflix.zuul.ZuulFilter
            import com.netflix.zuul.context.RequestContext
            """;

    private final Map<String, Object> settings;
    private final Gateway gateway;
    private BuiltFilters built;

    private ZuulGateway(Map<String, Object> settings, BuiltFilters built, Gateway gateway) {
        this.settings = settings;
        this.built = built;
        this.gateway = gateway;
    }

    /** Starts a gateway. @param files the texts of the files by their paths */
    static ZuulGateway start(ScriptedOrigin origin, Map<String, Object> settings, Map<String, String> files)
            throws Exception {
        return start(origin, origin, settings, files);
    }

    /** @param users the origin of the upstream users */
    static ZuulGateway start(
            ScriptedOrigin origin, ScriptedOrigin users, Map<String, Object> settings, Map<String, String> files)
            throws Exception {
        return start(origin.port(), users.port(), settings, files);
    }

    /** @param origin the port of the origin @param users the port of the origin of the upstream users */
    static ZuulGateway start(int origin, int users, Map<String, Object> settings, Map<String, String> files)
            throws Exception {
        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    workers: 1
                    routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
                    upstreams:
                      origin: { endpoints: ["http://127.0.0.1:%d"] }
                      users: { endpoints: ["http://127.0.0.1:%d"] }
                    """.formatted(origin, users))
                .config();
        BuiltFilters built = build(settings, files);
        return new ZuulGateway(settings, built, Gateway.start(config, built.everywhere(), ExchangeObserver.NONE));
    }

    /** Replaces the generation. Called by one thread at a time. @param files the texts of the files by their paths */
    void reload(Map<String, String> files) throws Exception {
        BuiltFilters next = build(settings, files);
        gateway.apply(gateway.generation().config(), next.everywhere());
        BuiltFilters before = built;
        built = next;
        before.close();
    }

    static BuiltFilters build(Map<String, Object> settings, Map<String, String> files) throws Exception {
        FilterSources sources = FilterSources.of(files.entrySet().stream()
                .map(each -> new FilterSource(each.getKey(), each.getValue()))
                .toList());
        return build(settings, sources);
    }

    static BuiltFilters build(Map<String, Object> settings, FilterSources sources) throws Exception {
        return new GroovyFilters(Duration.ofMinutes(2))
                .build(sources, Duration.ofMinutes(2), null, Map.of(), dialect(settings));
    }

    static FilterDialect dialect(Map<String, Object> settings) {
        return new ZuulDialect(ZuulSettings.KEYS.read(PlainValues.of(settings)));
    }

    /** Returns the text of a filter that always runs. @param run the body of run(), in which ctx is the context */
    static String filter(String name, String type, int order, String run) {
        return IMPORTS + """
                class %s extends ZuulFilter {
                    String filterType() { '%s' }
                    int filterOrder() { %d }
                    boolean shouldFilter() { true }
                    Object run() {
                        def ctx = RequestContext.currentContext
                        %s
                        return null
                    }
                }
                """.formatted(name, type, order, run);
    }

    /** Returns the loader of the filter in a file. */
    ClassLoader loader(String file) {
        return built.filters().stream()
                .filter(each -> each.file().equals(file))
                .map(each -> each.filter().definedIn().getClassLoader())
                .findFirst()
                .orElseThrow();
    }

    /** Returns the number of runs of a filter. */
    long runs(String filter) {
        return gateway.generation().filters().slots().stream()
                .filter(slot -> slot.name().equals(filter))
                .findFirst()
                .orElseThrow()
                .stats()
                .runs();
    }

    InetSocketAddress address() {
        return gateway.address("main");
    }

    RawMessage send(String request) throws Exception {
        try (RawClient client = RawClient.connect(address())) {
            return client.send(request).readResponseTo(request.substring(0, request.indexOf(' ')));
        }
    }

    RawMessage get(String target, String... fieldLines) throws Exception {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: shop.example:8080\r\n");
        for (String line : fieldLines) {
            request.append(line).append("\r\n");
        }
        return send(request.append("\r\n").toString());
    }

    RawMessage post(String target, String type, String body) throws Exception {
        return send("POST " + target + " HTTP/1.1\r\nHost: shop.example\r\nContent-Type: " + type
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Override
    public void close() {
        gateway.close();
        built.end();
        built.close();
    }
}
