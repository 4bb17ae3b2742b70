package dev.lychgate.config;

import java.util.HashSet;
import java.util.List;

/**
 * A named set of endpoints that serve the same thing.
 *
 * @param name what routes call it
 * @param endpoints at least one, each once
 * @param pool limits of its connection pools
 * @param timeouts how long we wait for it, where the route says nothing
 * @param resilience what protects it from its callers, and them from it
 */
public record UpstreamConfig(
        String name,
        List<EndpointConfig> endpoints,
        PoolConfig pool,
        RouteTimeouts timeouts,
        UpstreamResilience resilience) {
    public UpstreamConfig {
        Expect.name("upstreams", name);
        endpoints = Expect.copy(endpoints);
        Expect.that(!endpoints.isEmpty(), "endpoints", "[]", "at least one URL");
        Expect.that(
                new HashSet<>(endpoints).size() == endpoints.size(), "endpoints", endpoints, "each endpoint only once");
    }

    /** An upstream that nothing protects but the budget of retries. */
    public UpstreamConfig(String name, List<EndpointConfig> endpoints, PoolConfig pool, RouteTimeouts timeouts) {
        this(name, endpoints, pool, timeouts, UpstreamResilience.DEFAULT);
    }

    /** This upstream with other protection. */
    public UpstreamConfig withResilience(UpstreamResilience other) {
        return new UpstreamConfig(name, endpoints, pool, timeouts, other);
    }

    /** An upstream with every default. */
    public static UpstreamConfig of(String name, EndpointConfig... endpoints) {
        return new UpstreamConfig(name, List.of(endpoints), PoolConfig.DEFAULT, RouteTimeouts.UNSET);
    }
}
