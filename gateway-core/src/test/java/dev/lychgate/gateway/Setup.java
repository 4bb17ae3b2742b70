package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AddressListConfig;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.CacheMemoryConfig;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientAddressConfig;
import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Http2Config;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerLimits;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.MirrorConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.ProxyProtocolConfig;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.config.StallConfig;
import dev.lychgate.config.TelemetryConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.WebSocketConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A compact form of settings: one listener on a free port, and one upstream for all requests by default. Its limits for
 * connections to origins and for stalled event loops are more patient than the defaults, for busy machines.
 */
final class Setup {
    private static final RouteTimeouts PATIENT = new RouteTimeouts(null, Duration.ofSeconds(10), null, null, null);
    private static final LifecycleConfig LIFECYCLE = new LifecycleConfig(
            new StallConfig(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ZERO), LifecycleConfig.Watch.ON);

    private PathPolicy paths = PathPolicy.STRICT;
    private Transport transport = Transport.AUTO;
    private int workers = 1;
    private int connections = 1000;
    private ByteSize bodyLimit = new ByteSize(0);
    private int headerCount = ListenerLimits.DEFAULT.headerCount();
    private ByteSize headerBytes = ListenerLimits.DEFAULT.headerBytes();
    private List<ListenerProtocol> protocols = ListenerConfig.ALL;
    private Http2Config http2 = Http2Config.DEFAULT;
    private ListenerTimeouts listenerTimeouts = ListenerTimeouts.DEFAULT;
    private List<Cidr> trusted = List.of();
    private String listener = "main";
    private ClientAddressConfig clientAddress = ClientAddressConfig.DEFAULT;
    private boolean forwarded;
    private @Nullable TlsConfig tls;
    private int httpsPort;
    private @Nullable ProxyProtocolConfig proxyProtocol;
    private SocketOptions socket = SocketOptions.DEFAULT;
    private RouteTimeouts timeouts = RouteTimeouts.UNSET;
    private PoolConfig pool = PoolConfig.DEFAULT;
    private RewriteConfig rewrite = RewriteConfig.NONE;
    private RouteResilience resilience = RouteResilience.DEFAULT;
    private @Nullable WebSocketConfig webSocket;
    private @Nullable MirrorConfig mirror;
    private @Nullable OverloadConfig overload;
    private @Nullable CacheConfig cache;
    private CacheMemoryConfig cacheMemory = CacheMemoryConfig.DEFAULT;
    private final Map<String, RateLimitConfig> rateLimits = new LinkedHashMap<>();
    private List<String> rateLimit = List.of();
    private final Map<String, AddressListConfig> addressLists = new LinkedHashMap<>();
    private ClientsConfig clients = ClientsConfig.DEFAULT;
    private @Nullable ClientProtectionConfig protection;
    private FilterSet filters = FilterSet.EMPTY;
    private AccessConfig access = AccessConfig.NONE;
    private @Nullable AuthenticateConfig authenticate;
    private List<ListenerConfig> listeners = List.of();
    private final List<RouteConfig> routes = new ArrayList<>();
    private final Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();

    /** Sends all requests to {@code endpoints}. */
    static Setup to(InetSocketAddress... endpoints) {
        return new Setup().upstream("origin", endpoints);
    }

    Setup upstream(String name, InetSocketAddress... endpoints) {
        List<EndpointConfig> urls = new ArrayList<>();
        for (InetSocketAddress endpoint : endpoints) {
            urls.add(new EndpointConfig(endpoint.getAddress().getHostAddress(), endpoint.getPort()));
        }
        upstreams.put(name, new UpstreamConfig(name, urls, pool, RouteTimeouts.UNSET));
        return this;
    }

    /** An upstream with endpoints that have settings besides their addresses. */
    Setup upstream(String name, BalanceConfig balance, EndpointConfig... endpoints) {
        upstreams.put(
                name, new UpstreamConfig(name, List.of(endpoints), pool, RouteTimeouts.UNSET).withBalance(balance));
        return this;
    }

    Setup upstream(UpstreamConfig upstream) {
        upstreams.put(upstream.name(), upstream);
        return this;
    }

    Setup transport(Transport changed) {
        transport = changed;
        return this;
    }

    Setup workers(int changed) {
        workers = changed;
        return this;
    }

    Setup connections(int changed) {
        connections = changed;
        return this;
    }

    Setup bodyLimit(ByteSize changed) {
        bodyLimit = changed;
        return this;
    }

    Setup headers(int count, ByteSize bytes) {
        headerCount = count;
        headerBytes = bytes;
        return this;
    }

    Setup speaking(ListenerProtocol only) {
        protocols = List.of(only);
        return this;
    }

    Setup http2(Http2Config changed) {
        http2 = changed;
        return this;
    }

    Setup clients(ListenerTimeouts changed) {
        listenerTimeouts = changed;
        return this;
    }

    Setup trusting(String block) {
        trusted = List.of(Cidr.parse(block));
        return this;
    }

    Setup listener(String changed) {
        listener = changed;
        return this;
    }

    /** The header that determines the client behind trusted proxies. */
    Setup clientAddress(String header, int hops) {
        clientAddress = new ClientAddressConfig(header, hops);
        return this;
    }

    /** Clients whose connections begin with a PROXY protocol header. */
    Setup announcedBy(String block) {
        proxyProtocol = new ProxyProtocolConfig(List.of(Cidr.parse(block)));
        return this;
    }

    /** The TLS settings of the listener. */
    Setup tls(TlsConfig changed) {
        tls = changed;
        return this;
    }

    /** Redirects all requests to that port. */
    Setup redirectingTo(int port) {
        httpsPort = port;
        return this;
    }

    Setup sendingForwarded() {
        forwarded = true;
        return this;
    }

    Setup socket(SocketOptions changed) {
        socket = changed;
        return this;
    }

    Setup timeouts(RouteTimeouts changed) {
        timeouts = changed;
        return this;
    }

    Setup pool(PoolConfig changed) {
        pool = changed;
        upstreams.replaceAll((name, u) -> u.withPool(changed));
        return this;
    }

    /** Of the route for all requests. */
    Setup resilience(RouteResilience changed) {
        resilience = changed;
        return this;
    }

    Setup retrying(RetryConfig changed) {
        return resilience(new RouteResilience(changed, null, 5, resilience.onFailure()));
    }

    Setup onFailure(OnFailure changed) {
        return resilience(new RouteResilience(resilience.retry(), resilience.bulkhead(), 5, changed));
    }

    /** Of the route for all requests. */
    Setup paths(PathPolicy changed) {
        paths = changed;
        return this;
    }

    Setup route(String id, MatchConfig match, RouteAction action) {
        routes.add(new RouteConfig(id, 0, match, RewriteConfig.NONE, action, timeouts));
        return this;
    }

    /** Of the route for all requests. */
    Setup rewriting(RewriteConfig changed) {
        rewrite = changed;
        return this;
    }

    Setup webSocket(WebSocketConfig changed) {
        webSocket = changed;
        return this;
    }

    /** Of the route for all requests. */
    Setup mirror(MirrorConfig changed) {
        mirror = changed;
        return this;
    }

    /** Of the route for all requests. */
    Setup cache(CacheConfig changed) {
        cache = changed;
        return this;
    }

    Setup cacheMemory(CacheMemoryConfig changed) {
        cacheMemory = changed;
        return this;
    }

    /** A rate limit that routes and the listener can name. */
    Setup rateLimit(String name, RateLimitConfig limit) {
        rateLimits.put(name, limit);
        return this;
    }

    /** A list of addresses that the protection of the listener can name. */
    Setup addresses(String name, AddressListConfig list) {
        addressLists.put(name, list);
        return this;
    }

    /** The protection of the listener against single clients. */
    Setup protectedBy(ClientProtectionConfig changed) {
        protection = changed;
        return this;
    }

    Setup clients(ClientsConfig changed) {
        clients = changed;
        return this;
    }

    /** The rate limits of the listener. */
    Setup limitedBy(String... names) {
        rateLimit = List.of(names);
        return this;
    }

    /** A route to the origin with rate limits. */
    Setup limited(String id, String path, String... names) {
        routes.add(new RouteConfig(
                        id, 0, MatchConfig.path(path), RewriteConfig.NONE, new RouteAction.Proxy("origin"), timeouts)
                .withRateLimit(names));
        return this;
    }

    /** The authentication and authorization at the top level; the filters have the authenticators. */
    Setup access(AccessConfig changed) {
        access = changed;
        return this;
    }

    /** The authentication of the listener; the filters have the authenticators. */
    Setup authenticate(AuthenticateConfig changed) {
        authenticate = changed;
        return this;
    }

    /** The reaction to overload. */
    Setup overload(OverloadConfig changed) {
        overload = changed;
        return this;
    }

    /** A route to the origin with these settings. */
    Setup resilient(String id, String path, RouteResilience changed) {
        routes.add(new RouteConfig(
                        id, 0, MatchConfig.path(path), RewriteConfig.NONE, new RouteAction.Proxy("origin"), timeouts)
                .withResilience(changed));
        return this;
    }

    Setup route(RouteConfig route) {
        routes.add(route);
        return this;
    }

    Setup filters(FilterSet changed) {
        filters = changed;
        return this;
    }

    Setup route(String id, String path, RewriteConfig rewrite, RouteAction action) {
        routes.add(new RouteConfig(id, 0, MatchConfig.path(path), rewrite, action, timeouts));
        return this;
    }

    Setup route(String id, String path, RouteAction action) {
        return route(id, path, RewriteConfig.NONE, action);
    }

    private static UpstreamConfig patient(UpstreamConfig u) {
        return new UpstreamConfig(
                u.name(),
                u.endpoints(),
                u.services(),
                u.discovered(),
                u.dns(),
                u.pool(),
                u.timeouts().orElse(PATIENT),
                u.balance(),
                u.health(),
                u.resilience(),
                u.persistence(),
                u.tls(),
                u.proxyProtocol());
    }

    GatewayConfig config() {
        List<RouteConfig> all = new ArrayList<>(routes);
        if (all.isEmpty() && !upstreams.isEmpty()) {
            RouteAction proxy = new RouteAction.Proxy("origin");
            all.add(new RouteConfig("all", 0, MatchConfig.ANY, rewrite, proxy, timeouts)
                    .withResilience(resilience)
                    .withWebSocket(webSocket)
                    .withMirror(mirror)
                    .withCache(cache));
        }
        ListenerLimits limits = new ListenerLimits(
                connections, ListenerLimits.DEFAULT.startLine(), headerCount, headerBytes, bodyLimit);
        ListenerConfig only = new ListenerConfig(
                listener,
                new BindAddress("127.0.0.1", 0),
                socket,
                limits,
                listenerTimeouts,
                paths,
                protocols,
                http2,
                trusted,
                clientAddress,
                forwarded,
                tls,
                httpsPort,
                proxyProtocol,
                rateLimit,
                protection,
                authenticate);
        Map<String, UpstreamConfig> origins = new LinkedHashMap<>();
        upstreams.forEach((name, upstream) -> origins.put(name, patient(upstream)));
        return new GatewayConfig(
                workers,
                transport,
                Duration.ofSeconds(5),
                listeners.isEmpty() ? List.of(only) : listeners,
                all,
                origins,
                null,
                AccessLogConfig.DEFAULT,
                FiltersConfig.DEFAULT,
                overload,
                null,
                TelemetryConfig.DEFAULT,
                LIFECYCLE,
                new PoliciesConfig(rateLimits, addressLists, clients, access, cacheMemory, null),
                Map.of());
    }

    /** These listeners, instead of the listener with the other settings. */
    Setup listeners(ListenerConfig... all) {
        listeners = List.of(all);
        return this;
    }

    Running start() {
        return Running.start(config(), filters);
    }

    /** Timeouts towards the origin, each short. */
    static RouteTimeouts waiting(Duration acquire, Duration connect, Duration head, Duration body, Duration exchange) {
        return new RouteTimeouts(acquire, connect, head, body, exchange);
    }
}
