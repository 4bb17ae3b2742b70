package dev.lychgate.config;

import java.util.List;
import java.util.Map;

/**
 * A named set of endpoints that serve the same thing.
 *
 * @param name what routes call it
 * @param endpoints at least one, each address once
 * @param pool limits of its connection pools
 * @param timeouts how long we wait for it, where the route says nothing
 * @param balance how requests are dealt out to the endpoints
 * @param health how it is found out which of them are fit for use
 * @param resilience what protects it from its callers, and them from it
 * @param persistence what binds clients to endpoints
 */
public record UpstreamConfig(
        String name,
        List<EndpointConfig> endpoints,
        PoolConfig pool,
        RouteTimeouts timeouts,
        BalanceConfig balance,
        HealthConfig health,
        UpstreamResilience resilience,
        PersistenceConfig persistence) {
    public UpstreamConfig {
        Expect.name("upstreams", name);
        endpoints = Expect.copy(endpoints);
        Expect.that(!endpoints.isEmpty(), "endpoints", "[]", "at least one URL");
        Expect.that(
                endpoints.stream().map(EndpointConfig::address).distinct().count() == endpoints.size(),
                "endpoints",
                endpoints,
                "each endpoint only once");
    }

    /** An upstream with the default balancing, and nobody who looks after its health or protects it. */
    public UpstreamConfig(String name, List<EndpointConfig> endpoints, PoolConfig pool, RouteTimeouts timeouts) {
        this(
                name,
                endpoints,
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

    /** This upstream with another balancing. */
    public UpstreamConfig withBalance(BalanceConfig other) {
        return new UpstreamConfig(name, endpoints, pool, timeouts, other, health, resilience, persistence);
    }

    /** This upstream with somebody else to look after its health. */
    public UpstreamConfig withHealth(HealthConfig other) {
        return new UpstreamConfig(name, endpoints, pool, timeouts, balance, other, resilience, persistence);
    }

    /** This upstream with other protection. */
    public UpstreamConfig withResilience(UpstreamResilience other) {
        return new UpstreamConfig(name, endpoints, pool, timeouts, balance, health, other, persistence);
    }

    /** This upstream with something else to bind clients by. */
    public UpstreamConfig withPersistence(PersistenceConfig other) {
        return new UpstreamConfig(name, endpoints, pool, timeouts, balance, health, resilience, other);
    }

    /** Whether one of its endpoints has all of {@code metadata}. */
    public boolean hasSubset(Map<String, String> metadata) {
        return endpoints.stream().anyMatch(e -> e.metadata().entrySet().containsAll(metadata.entrySet()));
    }
}
