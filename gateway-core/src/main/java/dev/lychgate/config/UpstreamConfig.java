package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A named set of endpoints that serve the same thing.
 *
 * @param name what routes call it
 * @param endpoints each address once; at least one, unless there is a service
 * @param services what DNS names more endpoints by; each once
 * @param dns how names among them are looked up
 * @param pool limits of its connection pools
 * @param timeouts how long we wait for it, where the route says nothing
 * @param balance how requests are dealt out to the endpoints
 * @param health how it is found out which of them are fit for use
 * @param resilience what protects it from its callers, and them from it
 * @param persistence what binds clients to endpoints
 * @param tls how TLS is spoken with those of its endpoints that are {@code https}; its services are, if it is there; null =
 *     as by default
 * @param proxyProtocol by which version of the PROXY protocol each new connection says first whose request it carries; null =
 *     it does not, the default. Such a connection carries one request
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
        @Nullable ProxyVersion proxyProtocol) {
    public UpstreamConfig {
        Expect.name("upstreams", name);
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

    private static boolean callsGrpc(HealthConfig health) {
        ActiveHealthConfig active = health.active();
        return active != null && active.grpc() != null;
    }

    private static boolean speaksTlsOnly(
            List<EndpointConfig> endpoints, List<ServiceConfig> services, @Nullable OriginTlsConfig tls) {
        return endpoints.stream().allMatch(e -> e.address().secure()) && (services.isEmpty() || tls != null);
    }

    /** An upstream with TLS as by default. */
    public UpstreamConfig(
            String name,
            List<EndpointConfig> endpoints,
            List<ServiceConfig> services,
            DnsConfig dns,
            PoolConfig pool,
            RouteTimeouts timeouts,
            BalanceConfig balance,
            HealthConfig health,
            UpstreamResilience resilience,
            PersistenceConfig persistence) {
        this(name, endpoints, services, dns, pool, timeouts, balance, health, resilience, persistence, null, null);
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
                PersistenceConfig.NONE);
    }

    /** An upstream with every default. */
    public static UpstreamConfig of(String name, EndpointConfig... endpoints) {
        return new UpstreamConfig(name, List.of(endpoints), PoolConfig.DEFAULT, RouteTimeouts.UNSET);
    }

    /** This upstream with other endpoints, and no less services. */
    public UpstreamConfig withEndpoints(List<EndpointConfig> others) {
        return new UpstreamConfig(
                name,
                others,
                services,
                dns,
                pool,
                timeouts,
                balance,
                health,
                resilience,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with services beside its endpoints. */
    public UpstreamConfig withServices(List<ServiceConfig> others) {
        return new UpstreamConfig(
                name,
                endpoints,
                others,
                dns,
                pool,
                timeouts,
                balance,
                health,
                resilience,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with its pools limited otherwise. */
    public UpstreamConfig withPool(PoolConfig other) {
        return new UpstreamConfig(
                name,
                endpoints,
                services,
                dns,
                other,
                timeouts,
                balance,
                health,
                resilience,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with its names looked up otherwise. */
    public UpstreamConfig withDns(DnsConfig other) {
        return new UpstreamConfig(
                name,
                endpoints,
                services,
                other,
                pool,
                timeouts,
                balance,
                health,
                resilience,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with another balancing. */
    public UpstreamConfig withBalance(BalanceConfig other) {
        return new UpstreamConfig(
                name,
                endpoints,
                services,
                dns,
                pool,
                timeouts,
                other,
                health,
                resilience,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with somebody else to look after its health. */
    public UpstreamConfig withHealth(HealthConfig other) {
        return new UpstreamConfig(
                name,
                endpoints,
                services,
                dns,
                pool,
                timeouts,
                balance,
                other,
                resilience,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with other protection. */
    public UpstreamConfig withResilience(UpstreamResilience other) {
        return new UpstreamConfig(
                name,
                endpoints,
                services,
                dns,
                pool,
                timeouts,
                balance,
                health,
                other,
                persistence,
                tls,
                proxyProtocol);
    }

    /** This upstream with something else to bind clients by. */
    public UpstreamConfig withPersistence(PersistenceConfig other) {
        return new UpstreamConfig(
                name, endpoints, services, dns, pool, timeouts, balance, health, resilience, other, tls, proxyProtocol);
    }

    /** This upstream with TLS spoken otherwise. */
    public UpstreamConfig withTls(@Nullable OriginTlsConfig other) {
        return new UpstreamConfig(
                name,
                endpoints,
                services,
                dns,
                pool,
                timeouts,
                balance,
                health,
                resilience,
                persistence,
                other,
                proxyProtocol);
    }

    /** This upstream, told of its clients by the PROXY protocol; null = not at all. */
    public UpstreamConfig withProxyProtocol(@Nullable ProxyVersion other) {
        return new UpstreamConfig(
                name, endpoints, services, dns, pool, timeouts, balance, health, resilience, persistence, tls, other);
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
