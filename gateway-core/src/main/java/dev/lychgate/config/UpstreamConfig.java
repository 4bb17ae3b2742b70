package dev.lychgate.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A named set of endpoints that serve the same thing.
 */
public record UpstreamConfig(
        String name,
        List<EndpointConfig> endpoints,
        List<ServiceConfig> services,
        DnsConfig dns,
        PoolConfig pool,
        RouteTimeouts timeouts,
        BalanceConfig balance,
        HealthConfig health,
        UpstreamResilience resilience,
        PersistenceConfig persistence,
        @Nullable OriginTlsConfig tls,
        @Nullable ProxyVersion proxyProtocol)
        implements WrittenConfig.Section {
    private static final Key<List<Record>> ENDPOINTS = Key.typed(
                    "endpoints",
                    Form.list(Form.section(EndpointConfig::read)
                            .or(Form.text("URL", EndpointConfig::parse).looking(EndpointConfig.URL_FORM))),
                    List.<Record>of(new EndpointConfig("127.0.0.1", 1)))
            .called("list of URLs")
            .atLeast(1)
            .required("a list of URLs")
            .about("where it is served, at least one, each once: `http://host` or `http://host:port`, `https` for "
                    + "TLS, or a mapping with `url` or `srv`");
    private static final Key<UpstreamProtocol> PROTOCOL = Key.choice(
                    "protocol", UpstreamProtocol.HTTP_1_1, UpstreamProtocol::label)
            .about("what is spoken with its endpoints: [HTTP/2](http2.md) is agreed on in the TLS handshake, and taken "
                    + "for granted without TLS; `auto`: HTTP/2 where an endpoint offers it in the handshake");
    private static final Key<DnsConfig> DNS = Key.section("dns", DnsConfig.KEYS)
            .about("how host names and services among the endpoints are looked up; see [names](balancing.md#names)");
    private static final Key<PoolConfig> POOL = Key.section("pool", PoolConfig.DEFAULT, PoolConfig::read)
            .about("limits of the connection pools; counted per event loop: N over L loops is N/L each, rounded "
                    + "up; below L one shared count");
    private static final Key<RouteTimeouts> TIMEOUTS = Key.section(
                    "timeouts", RouteTimeouts.UNSET, RouteTimeouts::ofUpstream)
            .about("how long we wait, where the route says nothing; checked every 100 ms; silence that our own "
                    + "backpressure caused never counts");
    private static final Key<BalanceConfig> BALANCE = Key.section("balance", BalanceConfig.DEFAULT, BalanceConfig::read)
            .about("how requests are dealt out to the endpoints, counted per event loop; see"
                    + " [balancing](balancing.md)");
    private static final Key<HealthConfig> HEALTH = Key.section("health", HealthConfig.KEYS)
            .about("how it is found out which endpoints are fit for use; what is not named is not done; see "
                    + "[health](health.md)");
    private static final Key<PersistenceConfig> PERSISTENCE = Key.typed(
                    "persistence", PersistenceConfig.FORM, PersistenceConfig.NONE)
            .absent("`none`")
            .about("what binds a client to the endpoint that has served it; see"
                    + " [persistence](balancing.md#persistence)");
    private static final Key<OriginTlsConfig> TLS = Key.section("tls", null, () -> OriginTlsConfig.KEYS)
            .absent("as below")
            .about("how [TLS](tls.md#tls-to-origins) is spoken with endpoints that begin with `https://`, and "
                    + "with all that `srv` names; it needs one of them");
    private static final Key<ProxyVersion> PROXY_PROTOCOL = Key.typed(
                    "proxy-protocol", Form.choice(ProxyVersion.class), null)
            .about("each new connection says first, by the [PROXY protocol](proxy-protocol.md), whose request "
                    + "it carries, and carries one; not beside `protocol: h2` or `auto`");

    public UpstreamConfig {
        Form.NAMED.check("upstreams", name);
        endpoints = Expect.copy(endpoints);
        services = Expect.copy(services);
        Expect.that(!endpoints.isEmpty() || !services.isEmpty(), "endpoints", "[]", "at least one URL or srv");
        Expect.that(
                services.stream().map(ServiceConfig::name).distinct().count() == services.size(),
                "endpoints",
                services,
                "each srv only once");
        Expect.that(
                tls == null
                        || !services.isEmpty()
                        || endpoints.stream().anyMatch(e -> e.address().secure()),
                "tls",
                "used by no endpoint",
                "an endpoint that begins with https://");
        Expect.that(
                services.isEmpty()
                        || tls == null
                        || !tls.verify()
                        || tls.ca() != null
                        || !tls.serverName().isEmpty(),
                "tls",
                "believes whoever DNS names",
                "a server-name or a ca beside srv");
        Expect.that(
                proxyProtocol == null || pool.protocol() == UpstreamProtocol.HTTP_1_1,
                "proxy-protocol",
                "beside protocol " + pool.protocol().label(),
                "http/1.1: an HTTP/2 connection is for many clients");
        Expect.that(
                !callsGrpc(health) || pool.protocol() != UpstreamProtocol.HTTP_1_1,
                "health",
                "active.grpc beside protocol http/1.1",
                "protocol h2, or auto with TLS: gRPC is spoken over HTTP/2");
        Expect.that(
                !callsGrpc(health)
                        || pool.protocol() != UpstreamProtocol.AUTO
                        || speaksTlsOnly(endpoints, services, tls),
                "health",
                "active.grpc beside protocol auto and an endpoint without TLS",
                "protocol h2, or https:// endpoints: without TLS, auto is HTTP/1.1");
        Expect.that(
                endpoints.stream().map(EndpointConfig::address).distinct().count() == endpoints.size(),
                "endpoints",
                endpoints,
                "each endpoint only once");
    }

    /** Reads a section. */
    static UpstreamConfig read(Key.Values values) {
        List<EndpointConfig> urls = new ArrayList<>();
        List<ServiceConfig> services = new ArrayList<>();
        for (Record endpoint : values.get(ENDPOINTS)) {
            if (endpoint instanceof ServiceConfig service) {
                services.add(service);
            } else {
                urls.add((EndpointConfig) endpoint);
            }
        }
        return new UpstreamConfig(
                values.name(),
                urls,
                services,
                values.get(DNS),
                values.get(POOL).speaking(values.get(PROTOCOL)),
                values.get(TIMEOUTS),
                values.get(BALANCE),
                values.get(HEALTH),
                UpstreamResilience.KEYS.read(values),
                values.get(PERSISTENCE),
                values.get(TLS),
                values.get(PROXY_PROTOCOL));
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        List<Record> all = new ArrayList<>(endpoints);
        all.addAll(services);
        section.put(ENDPOINTS.name(), WrittenConfig.write(ENDPOINTS, all));
        section.put(PROTOCOL.name(), WrittenConfig.write(PROTOCOL, pool.protocol()));
    }

    private static boolean callsGrpc(HealthConfig health) {
        ActiveHealthConfig active = health.active();
        return active != null && active.grpc() != null;
    }

    private static boolean speaksTlsOnly(
            List<EndpointConfig> endpoints, List<ServiceConfig> services, @Nullable OriginTlsConfig tls) {
        return endpoints.stream().allMatch(e -> e.address().secure()) && (services.isEmpty() || tls != null);
    }

    /** An upstream with the default balancing, and nobody who looks after its health or protects it. */
    public UpstreamConfig(String name, List<EndpointConfig> endpoints, PoolConfig pool, RouteTimeouts timeouts) {
        this(
                name,
                endpoints,
                List.of(),
                DnsConfig.DEFAULT,
                pool,
                timeouts,
                BalanceConfig.DEFAULT,
                HealthConfig.NONE,
                UpstreamResilience.DEFAULT,
                PersistenceConfig.NONE,
                null,
                null);
    }

    /** An upstream with every default. */
    public static UpstreamConfig of(String name, EndpointConfig... endpoints) {
        return new UpstreamConfig(name, List.of(endpoints), PoolConfig.DEFAULT, RouteTimeouts.UNSET);
    }

    /** This upstream with other endpoints, and no less services. */
    public UpstreamConfig withEndpoints(List<EndpointConfig> others) {
        return Copy.of(this, "endpoints", others);
    }

    /** This upstream with services beside its endpoints. */
    public UpstreamConfig withServices(List<ServiceConfig> others) {
        return Copy.of(this, "services", others);
    }

    /** This upstream with its pools limited otherwise. */
    public UpstreamConfig withPool(PoolConfig other) {
        return Copy.of(this, "pool", other);
    }

    /** This upstream with its names looked up otherwise. */
    public UpstreamConfig withDns(DnsConfig other) {
        return Copy.of(this, "dns", other);
    }

    /** This upstream with another balancing. */
    public UpstreamConfig withBalance(BalanceConfig other) {
        return Copy.of(this, "balance", other);
    }

    /** This upstream with somebody else to look after its health. */
    public UpstreamConfig withHealth(HealthConfig other) {
        return Copy.of(this, "health", other);
    }

    /** This upstream with other protection. */
    public UpstreamConfig withResilience(UpstreamResilience other) {
        return Copy.of(this, "resilience", other);
    }

    /** This upstream with something else to bind clients by. */
    public UpstreamConfig withPersistence(PersistenceConfig other) {
        return Copy.of(this, "persistence", other);
    }

    /** This upstream with TLS spoken otherwise. */
    public UpstreamConfig withTls(@Nullable OriginTlsConfig other) {
        return Copy.of(this, "tls", other);
    }

    /** This upstream, told of its clients by the PROXY protocol; null = not at all. */
    public UpstreamConfig withProxyProtocol(@Nullable ProxyVersion other) {
        return Copy.of(this, "proxyProtocol", other);
    }

    /** Whether TLS is spoken with one of its endpoints or services. */
    public boolean isSecure() {
        return endpoints.stream().anyMatch(e -> e.address().secure()) || (!services.isEmpty() && tls != null);
    }

    /** Whether one of its endpoints or services has all of {@code metadata}. */
    public boolean hasSubset(Map<String, String> metadata) {
        return Stream.concat(
                        endpoints.stream().map(EndpointConfig::metadata),
                        services.stream().map(ServiceConfig::metadata))
                .anyMatch(known -> known.entrySet().containsAll(metadata.entrySet()));
    }

    /** Whether there is something to look up. */
    public boolean hasNames() {
        return !services.isEmpty()
                || endpoints.stream().anyMatch(e -> e.address().isName());
    }
}
