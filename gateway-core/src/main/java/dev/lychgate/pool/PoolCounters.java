package dev.lychgate.pool;

import java.util.Map;
import java.util.TreeMap;

/**
 * Counters and sizes of one connection pool, or the sums over several pools. Immutable. Created on the event loop of
 * the pool.
 *
 * @param created number of opened connections
 * @param connectFailures number of failed connects
 * @param reused number of leases of a connection that had been used before
 * @param idle number of idle connections
 * @param busy number of leased connections
 * @param connecting number of connects in progress
 * @param pending number of requests that wait for a connection
 * @param reclaimed number of exchanges that were ended because their clients were slow while other requests waited or
 *     memory was scarce
 * @param closed number of closed connections, by reason
 */
public record PoolCounters(
        long created,
        long connectFailures,
        long reused,
        int idle,
        int busy,
        int connecting,
        int pending,
        long reclaimed,
        Map<CloseReason, Long> closed) {
    public static final PoolCounters ZERO = new PoolCounters(0, 0, 0, 0, 0, 0, 0, 0, Map.of());

    public PoolCounters {
        closed = Map.copyOf(closed);
    }

    /** Returns the sum of these counters and {@code other}. */
    public PoolCounters plus(PoolCounters other) {
        Map<CloseReason, Long> sum = new TreeMap<>(closed);
        other.closed.forEach((reason, n) -> sum.merge(reason, n, Long::sum));
        return new PoolCounters(
                created + other.created,
                connectFailures + other.connectFailures,
                reused + other.reused,
                idle + other.idle,
                busy + other.busy,
                connecting + other.connecting,
                pending + other.pending,
                reclaimed + other.reclaimed,
                sum);
    }
}
