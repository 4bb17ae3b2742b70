package dev.lychgate.pool;

import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.loop.Loop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Divides the limits of the process among the connection pools of its event loops. Thread-safe; used only when a pool
 * is created.
 */
public final class PoolLimits {
    private final int loops;
    private final Map<PoolKey, SharedPermits> sharedConnections = new ConcurrentHashMap<>();
    private final Map<String, SharedPermits> sharedQueues = new ConcurrentHashMap<>();
    private final Map<String, Permits> queues = new ConcurrentHashMap<>();

    /**
     * Creates the limits that the pools of {@code loops} event loops share.
     *
     * @param loops number of event loops that share the limits
     */
    public PoolLimits(int loops) {
        this.loops = loops;
    }

    Permits connections(PoolKey key, Loop loop) {
        int asked = key.config().connections();
        // An HTTP/2 connection has capacity for about a hundred requests, but carries requests of one loop only, so
        // each loop needs its own connection.
        int total = key.config().protocol() == UpstreamProtocol.H2 ? Math.max(asked, loops) : asked;
        return total >= loops
                ? new LocalPermits(total, loops)
                : sharedConnections
                        .computeIfAbsent(key, k -> new SharedPermits(total))
                        .of(loop.eventLoop());
    }

    /**
     * Returns the permits for waiting in a queue. On one event loop, the pools of all endpoints of an upstream share
     * these permits.
     */
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
