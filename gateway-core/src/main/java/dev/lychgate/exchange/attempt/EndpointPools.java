package dev.lychgate.exchange.attempt;

import dev.lychgate.pool.ConnectionPool;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolKey;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.Upstream;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Maps endpoints to the connection pools of one event loop, so that pool keys are computed only once per generation.
 */
public final class EndpointPools {
    private final LoopPools pools;
    private final IdentityHashMap<Endpoint, ConnectionPool> byEndpoint = new IdentityHashMap<>();

    public EndpointPools(LoopPools pools) {
        this.pools = pools;
    }

    /**
     * Adopts the endpoints of new generations.
     *
     * @param upstreams the upstreams of all generations in force; two upstreams share the pool of an endpoint if they
     *     have the same name, pool settings and TLS settings
     */
    public void adopt(Collection<Upstream> upstreams) {
        IdentityHashMap<Endpoint, PoolKey> keys = new IdentityHashMap<>();
        for (Upstream upstream : upstreams) {
            for (Endpoint endpoint : upstream.endpoints()) {
                keys.put(endpoint, key(upstream, endpoint));
            }
        }
        pools.keep(Set.copyOf(keys.values()));
        byEndpoint.clear();
        keys.forEach((endpoint, key) -> byEndpoint.put(endpoint, pools.of(key)));
    }

    /**
     * Returns the pool of {@code endpoint}. If the endpoint belongs to a replaced generation, returns the pool that the
     * endpoint had in that generation. If this pool no longer exists, returns a new pool that keeps no idle
     * connections.
     */
    ConnectionPool of(Upstream upstream, Endpoint endpoint) {
        ConnectionPool known = byEndpoint.get(endpoint);
        return known != null ? known : pools.of(key(upstream, endpoint));
    }

    private static PoolKey key(Upstream upstream, Endpoint endpoint) {
        return new PoolKey(
                upstream.name(), endpoint.destination(), upstream.config().pool());
    }
}
