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

    Permits connections(PoolKey key, Loop loop) {
        int asked = key.config().connections();
        // A connection of HTTP/2 has room for a hundred requests, none of whom may be another loop's.
        int total = key.config().protocol() == UpstreamProtocol.H2 ? Math.max(asked, loops) : asked;
        return total >= loops
                ? new LocalPermits(total, loops)
                : sharedConnections
                        .computeIfAbsent(key, k -> new SharedPermits(total))
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
