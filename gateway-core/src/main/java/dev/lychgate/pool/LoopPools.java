package dev.lychgate.pool;

import dev.lychgate.loop.Loop;
import dev.lychgate.origin.Connector;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The connection pools of one event loop. Pools outlive generations. A new generation reuses a pool if upstream,
 * destination and limits are unchanged, and retires all pools that it does not need.
 */
public final class LoopPools {
    private final Loop loop;
    private final Connector connector;
    private final PoolLimits limits;
    private final Map<PoolKey, ConnectionPool> pools = new HashMap<>();
    private Set<PoolKey> current = Set.of();

    /**
     * Creates the pools of an event loop, which has no pools yet.
     *
     * @param limits the limits that the pools of all event loops share
     */
    public LoopPools(Loop loop, Connector connector, PoolLimits limits) {
        this.loop = loop;
        this.connector = connector;
        this.limits = limits;
    }

    /** Keeps the pools of a new generation and retires all pools that the generation does not need. */
    public void keep(Set<PoolKey> named) {
        current = Set.copyOf(named);
        for (ConnectionPool pool : pools.values()) {
            if (current.contains(pool.key())) {
                pool.revive();
            } else {
                pool.retire();
            }
        }
        pools.values().removeIf(ConnectionPool::isSpent);
    }

    /**
     * Returns the connection pool for {@code key}. If the latest generation does not contain {@code key}, the pool
     * serves requests, but keeps no connections.
     */
    public ConnectionPool of(PoolKey key) {
        ConnectionPool known = pools.get(key);
        if (known != null) {
            return known;
        }
        ConnectionPool made =
                new ConnectionPool(loop, key, connector, limits.connections(key, loop), limits.queuePlaces(key, loop));
        if (!current.contains(key)) {
            made.retire();
        }
        pools.put(key, made);
        return made;
    }

    /** Returns all pools of this loop, including retired ones. */
    public Collection<ConnectionPool> all() {
        return pools.values();
    }

    /**
     * Retires all pools, because the gateway is stopping: closes idle connections now, and leased connections when they
     * are released.
     */
    public void retireAll() {
        keep(Set.of());
    }
}
