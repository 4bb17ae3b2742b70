package dev.lychgate.pool;

import dev.lychgate.loop.Loop;
import dev.lychgate.origin.Connector;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The pools of one event loop. Pools outlive generations: the same upstream, address and limits find the same pool again,
 * and what a new generation no longer names is retired.
 */
public final class LoopPools {
    private final Loop loop;
    private final Connector connector;
    private final PoolLimits limits;
    private final Map<PoolKey, ConnectionPool> pools = new HashMap<>();
    private Set<PoolKey> current = Set.of();

    /** @param limits what the pools of all loops share */
    public LoopPools(Loop loop, Connector connector, PoolLimits limits) {
        this.loop = loop;
        this.connector = connector;
        this.limits = limits;
    }

    /** A new generation names these: their pools are kept, all others are retired. */
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

    /** The pool of {@code key}; one that the newest generation does not name serves, but keeps nothing. */
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

    /** Every pool of this loop, those being retired included. */
    public Collection<ConnectionPool> all() {
        return pools.values();
    }

    /** Closes idle connections, now and from now on: the gateway is stopping. */
    public void retireAll() {
        keep(Set.of());
    }
}
