package dev.lychgate.pool;

import dev.lychgate.loop.Loop;
import dev.lychgate.origin.OriginConnector;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.Upstream;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The pools of one event loop, of every endpoint. Pools outlive generations: the same upstream, address and limits find
 * the same pool again, and what a new generation no longer names is retired.
 */
public final class LoopPools {
    private final Loop loop;
    private final OriginConnector connector;
    private final PoolLimits limits;
    private final Map<PoolKey, ConnectionPool> byKey = new HashMap<>();
    private final IdentityHashMap<Endpoint, ConnectionPool> byEndpoint = new IdentityHashMap<>();

    /** @param limits what the pools of all loops share */
    public LoopPools(Loop loop, OriginConnector connector, PoolLimits limits) {
        this.loop = loop;
        this.connector = connector;
        this.limits = limits;
    }

    /** Takes over the endpoints of a new generation: the same pools where they are the same, new ones, and no others. */
    public void adopt(Collection<Upstream> upstreams) {
        byEndpoint.clear();
        for (Upstream upstream : upstreams) {
            for (Endpoint endpoint : upstream.endpoints()) {
                byEndpoint.put(endpoint, pool(upstream, endpoint));
            }
        }
        for (ConnectionPool pool : byKey.values()) {
            if (byEndpoint.containsValue(pool)) {
                pool.revive();
            } else {
                pool.retire();
            }
        }
        byKey.values().removeIf(ConnectionPool::isSpent);
    }

    /** The pool of {@code endpoint}; an endpoint of an older generation finds its retired pool. */
    public ConnectionPool of(Upstream upstream, Endpoint endpoint) {
        ConnectionPool known = byEndpoint.get(endpoint);
        return known != null ? known : ofFormerGeneration(upstream, endpoint);
    }

    private ConnectionPool ofFormerGeneration(Upstream upstream, Endpoint endpoint) {
        boolean kept = byKey.containsKey(key(upstream, endpoint));
        ConnectionPool pool = pool(upstream, endpoint);
        if (!kept) {
            pool.retire();
        }
        return pool;
    }

    private ConnectionPool pool(Upstream upstream, Endpoint endpoint) {
        Function<PoolKey, ConnectionPool> make = key ->
                new ConnectionPool(loop, key, connector, limits.connections(key, loop), limits.queuePlaces(key, loop));
        return byKey.computeIfAbsent(key(upstream, endpoint), make);
    }

    private static PoolKey key(Upstream upstream, Endpoint endpoint) {
        return new PoolKey(upstream.name(), endpoint.config(), upstream.config().pool());
    }

    /** Every pool of this loop, those being retired included. */
    public Collection<ConnectionPool> all() {
        return byKey.values();
    }

    /** Closes idle connections, now and from now on: the gateway is stopping. */
    public void retireAll() {
        byKey.values().forEach(ConnectionPool::retire);
    }
}
