package dev.lychgate.pool;

import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.loop.Loop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Deals out the limits that are configured per process to the pools of each loop. Any thread, but only when a pool is
 * made.
 */
public final class PoolLimits {
    private final int loops;
    private final Map<PoolKey, SharedPermits> sharedConnections = new ConcurrentHashMap<>();
    private final Map<String, SharedPermits> sharedQueues = new ConcurrentHashMap<>();
    private final Map<String, Permits> queues = new ConcurrentHashMap<>();

    /** @param loops how many event loops share the limits */
    public PoolLimits(int loops) {
        this.loops = loops;
    }

    AwaitedPermits connections(PoolKey key, Loop loop) {
        int total = key.config().connections();
        if (key.config().protocol() == UpstreamProtocol.H2) {
            // A connection of one loop has room for a hundred, none of whom may be another loop's.
            total = Math.max(total, loops);
        }
        int limit = total;
        return total >= loops
                ? new LocalPermits(total, loops)
                : sharedConnections
                        .computeIfAbsent(key, k -> new SharedPermits(limit))
                        .of(loop.eventLoop());
    }

    /** Places in the queue of an upstream: all its endpoints' pools of one loop share them. */
    Permits queuePlaces(PoolKey key, Loop loop) {
        int total = key.config().pending();
        String queue = key.upstream() + ' ' + total;
        if (total < loops) {
            return sharedQueues
                    .computeIfAbsent(queue, k -> new SharedPermits(total))
                    .of(loop.eventLoop());
        }
        return queues.computeIfAbsent(queue + ' ' + loop.index(), k -> new LocalPermits(total, loops));
    }
}
