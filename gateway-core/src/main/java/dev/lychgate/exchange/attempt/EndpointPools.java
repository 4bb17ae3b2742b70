package dev.lychgate.exchange.attempt;

import dev.lychgate.pool.ConnectionPool;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.pool.PoolKey;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.Upstream;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Set;

/** Finds the pool of an endpoint without working out its key, once per generation and event loop. */
public final class EndpointPools {
    private final LoopPools pools;
    private final IdentityHashMap<Endpoint, ConnectionPool> byEndpoint = new IdentityHashMap<>();

    public EndpointPools(LoopPools pools) {
        this.pools = pools;
    }

    /** Takes over the endpoints of a new generation. */
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

    /** The pool of {@code endpoint}; an endpoint of a former generation finds the one it had, or one that keeps nothing. */
    ConnectionPool of(Upstream upstream, Endpoint endpoint) {
        ConnectionPool known = byEndpoint.get(endpoint);
        return known != null ? known : pools.of(key(upstream, endpoint));
    }

    private static PoolKey key(Upstream upstream, Endpoint endpoint) {
        return new PoolKey(
                upstream.name(), endpoint.destination(), upstream.config().pool());
    }
}
