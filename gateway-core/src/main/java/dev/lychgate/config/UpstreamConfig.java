package dev.lychgate.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A named set of endpoints that provide one service. */
public record UpstreamConfig(
        String name,
        List<EndpointConfig> endpoints,
        List<ServiceConfig> services,
        List<DiscoveredConfig> discovered,
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
            .about("the endpoints, at least one and without duplicates: `http://host` or `http://host:port`, `https` "
                    + "for TLS, or a mapping with `url`, `srv` or `from`");
    private static final Key<UpstreamProtocol> PROTOCOL = Key.choice(
                    "protocol", UpstreamProtocol.HTTP_1_1, UpstreamProtocol::label)
            .about("the protocol of the endpoints: with `h2`, [HTTP/2](http2.md) is negotiated in the TLS handshake, "
                    + "or used without negotiation if an endpoint has no TLS; with `auto`, HTTP/2 is used if an "
                    + "endpoint offers it in the TLS handshake");
    private static final Key<DnsConfig> DNS = Key.section("dns", DnsConfig.KEYS)
            .about("the DNS resolution of host names and services among the endpoints; see "
                    + "[names](balancing.md#names)");
    private static final Key<PoolConfig> POOL = Key.section("pool", PoolConfig.DEFAULT, PoolConfig::read)
            .about("the limits of the connection pools; the limits are divided among the event loops: with a limit of "
                    + "N and L loops, each loop may use N/L, rounded up; all loops share a limit below L");
    private static final Key<RouteTimeouts> TIMEOUTS = Key.section(
                    "timeouts", RouteTimeouts.UNSET, RouteTimeouts::ofUpstream)
            .about("the timeouts for requests of routes that do not set their own timeouts; checked every 100 ms; time "
                    + "in which the gateway itself has paused reading does not count");
    private static final Key<BalanceConfig> BALANCE = Key.section("balance", BalanceConfig.DEFAULT, BalanceConfig::read)
            .about("the distribution of requests among the endpoints; each event loop counts its own requests; see "
                    + "[balancing](balancing.md)");
    private static final Key<HealthConfig> HEALTH = Key.section("health", HealthConfig.KEYS)
            .about("the detection of unhealthy endpoints; without `active` or `outlier`, this kind of detection is "
                    + "off; see [health](health.md)");
    private static final Key<PersistenceConfig> PERSISTENCE = Key.typed(
                    "persistence", PersistenceConfig.FORM, PersistenceConfig.NONE)
            .absent("`none`")
            .about("the session persistence that binds a client to an endpoint; see "
                    + "[persistence](balancing.md#persistence)");
    private static final Key<OriginTlsConfig> TLS = Key.section("tls", null, () -> OriginTlsConfig.KEYS)
            .absent("as below")
            .about("the [TLS](tls.md#tls-to-origins) settings of endpoints whose URL begins with `https://`, and of "
                    + "all endpoints of `srv` and `from`; the upstream must have at least one such endpoint");
    private static final Key<ProxyVersion> PROXY_PROTOCOL = Key.typed(
                    "proxy-protocol", Form.choice(ProxyVersion.class), null)
            .about("begins each new connection with a header of the [PROXY protocol](proxy-protocol.md) that names the "
                    + "client of the request; each connection then carries one request; not together with `protocol: h2` "
                    + "or `auto`");

    public UpstreamConfig {
        if (!name.contains("://")) {
            // A URL is accepted here, because the upstream of an origin in filters.call-outs has a URL as its name.
            // GatewayConfig refuses URLs as names of configured upstreams.
            Form.NAMED.check("upstreams", name);
        }
        endpoints = Expect.copy(endpoints);
        services = Expect.copy(services);
        discovered = Expect.copy(discovered);
        Expect.that(
                !endpoints.isEmpty() || !services.isEmpty() || !discovered.isEmpty(),
                "endpoints",
                "[]",
                "at least one URL, srv or from");
        Expect.that(
                services.stream().map(ServiceConfig::name).distinct().count() == services.size(),
                "endpoints",
                services,
                "each srv only once");
        Expect.that(
                discovered.stream().map(DiscoveredConfig::toString).distinct().count() == discovered.size(),
                "endpoints",
                discovered,
                "each service of a source only once");
        Expect.that(
                tls == null
                        || !services.isEmpty()
                        || !discovered.isEmpty()
                        || endpoints.stream().anyMatch(e -> e.address().secure()),
                "tls",
                "used by no endpoint",
                "at least one endpoint whose URL begins with https://");
        boolean open = tls != null
                && tls.verify()
                && tls.ca() == null
                && tls.serverName().isEmpty();
        Expect.that(
                services.isEmpty() || !open,
                "tls",
                "accepts any target that DNS names",
                "the key server-name or ca, which limits the accepted certificates");
        Expect.that(
                discovered.isEmpty() || !open,
                "tls",
                "accepts any endpoint that the source reports",
                "the key server-name or ca, which limits the accepted certificates");
        Expect.that(
                proxyProtocol == null || pool.protocol() == UpstreamProtocol.HTTP_1_1,
                "proxy-protocol",
                "set together with protocol " + pool.protocol().label(),
                "protocol http/1.1, because one HTTP/2 connection serves many clients");
        Expect.that(
                !callsGrpc(health) || pool.protocol() != UpstreamProtocol.HTTP_1_1,
                "health",
                "active.grpc together with protocol http/1.1",
                "protocol h2, or auto with TLS: gRPC requires HTTP/2");
        Expect.that(
                !callsGrpc(health)
                        || pool.protocol() != UpstreamProtocol.AUTO
                        || speaksTlsOnly(endpoints, !services.isEmpty() || !discovered.isEmpty(), tls),
                "health",
                "active.grpc together with protocol auto and an endpoint without TLS",
                "protocol h2, or only https:// endpoints: gRPC requires HTTP/2, but auto uses HTTP/1.1 for endpoints "
                        + "without TLS");
        Expect.that(
                endpoints.stream().map(EndpointConfig::address).distinct().count() == endpoints.size(),
                "endpoints",
                endpoints,
                "each endpoint only once");
    }

    static UpstreamConfig read(Key.Values values) {
        List<EndpointConfig> urls = new ArrayList<>();
        List<ServiceConfig> services = new ArrayList<>();
        List<DiscoveredConfig> discovered = new ArrayList<>();
        for (Record endpoint : values.get(ENDPOINTS)) {
            if (endpoint instanceof ServiceConfig service) {
                services.add(service);
            } else if (endpoint instanceof DiscoveredConfig item) {
                discovered.add(item);
            } else {
                urls.add((EndpointConfig) endpoint);
            }
        }
        return new UpstreamConfig(
                values.name(),
                urls,
                services,
                discovered,
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
        all.addAll(discovered);
        section.put(ENDPOINTS.name(), WrittenConfig.write(ENDPOINTS, all));
        section.put(PROTOCOL.name(), WrittenConfig.write(PROTOCOL, pool.protocol()));
    }

    private static boolean callsGrpc(HealthConfig health) {
        ActiveHealthConfig active = health.active();
        return active != null && active.grpc() != null;
    }

    private static boolean speaksTlsOnly(
            List<EndpointConfig> endpoints, boolean others, @Nullable OriginTlsConfig tls) {
        return endpoints.stream().allMatch(e -> e.address().secure()) && (!others || tls != null);
    }

    /** Creates an upstream with the default balancing, without health detection and without resilience settings. */
    public UpstreamConfig(String name, List<EndpointConfig> endpoints, PoolConfig pool, RouteTimeouts timeouts) {
        this(
                name,
                endpoints,
                List.of(),
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

    /** Creates an upstream with these endpoints, and with the defaults for all other components. */
    public static UpstreamConfig of(String name, EndpointConfig... endpoints) {
        return new UpstreamConfig(name, List.of(endpoints), PoolConfig.DEFAULT, RouteTimeouts.UNSET);
    }

    /** Returns this upstream with the endpoints {@code others}. Its services and discovered services do not change. */
    public UpstreamConfig withEndpoints(List<EndpointConfig> others) {
        return Copy.of(this, "endpoints", others);
    }

    /** Returns this upstream with services in addition to its endpoints. */
    public UpstreamConfig withServices(List<ServiceConfig> others) {
        return Copy.of(this, "services", others);
    }

    /** Returns this upstream with discovered services in addition to its endpoints. */
    public UpstreamConfig withDiscovered(List<DiscoveredConfig> others) {
        return Copy.of(this, "discovered", others);
    }

    /** Returns this upstream with other pool limits. */
    public UpstreamConfig withPool(PoolConfig other) {
        return Copy.of(this, "pool", other);
    }

    /** Returns this upstream with other DNS settings. */
    public UpstreamConfig withDns(DnsConfig other) {
        return Copy.of(this, "dns", other);
    }

    /** Returns this upstream with other balancing settings. */
    public UpstreamConfig withBalance(BalanceConfig other) {
        return Copy.of(this, "balance", other);
    }

    /** Returns this upstream with other health settings. */
    public UpstreamConfig withHealth(HealthConfig other) {
        return Copy.of(this, "health", other);
    }

    /** Returns this upstream with other resilience settings. */
    public UpstreamConfig withResilience(UpstreamResilience other) {
        return Copy.of(this, "resilience", other);
    }

    /** Returns this upstream with other persistence settings. */
    public UpstreamConfig withPersistence(PersistenceConfig other) {
        return Copy.of(this, "persistence", other);
    }

    /** Returns this upstream with other TLS settings. */
    public UpstreamConfig withTls(@Nullable OriginTlsConfig other) {
        return Copy.of(this, "tls", other);
    }

    /**
     * Returns this upstream with this version of the PROXY protocol.
     *
     * @param other null = without the PROXY protocol
     */
    public UpstreamConfig withProxyProtocol(@Nullable ProxyVersion other) {
        return Copy.of(this, "proxyProtocol", other);
    }

    /** Returns whether an endpoint or a service of this upstream uses TLS. */
    public boolean isSecure() {
        boolean others = !services.isEmpty() || !discovered.isEmpty();
        return endpoints.stream().anyMatch(e -> e.address().secure()) || (others && tls != null);
    }

    /**
     * Returns whether an endpoint or a service of this upstream has all of {@code metadata}. Also returns true if the
     * upstream has a service at a source, because the source may report endpoints with this metadata.
     */
    public boolean hasSubset(Map<String, String> metadata) {
        return !discovered.isEmpty()
                || Stream.concat(
                                endpoints.stream().map(EndpointConfig::metadata),
                                services.stream().map(ServiceConfig::metadata))
                        .anyMatch(known -> known.entrySet().containsAll(metadata.entrySet()));
    }

    /** Returns whether the endpoints of this upstream can change without a new configuration. */
    public boolean hasChangingEndpoints() {
        return !discovered.isEmpty() || hasNames();
    }

    /** Returns whether an endpoint or a service of this upstream needs DNS resolution. */
    public boolean hasNames() {
        return !services.isEmpty()
                || endpoints.stream().anyMatch(e -> e.address().isName());
    }
}
