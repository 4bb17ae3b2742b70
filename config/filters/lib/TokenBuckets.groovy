import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.LongSupplier

/**
 * One token bucket per key. A bucket is full at first, loses a token with each take, and refills over time. Event loops can
 * share it. The number of buckets is limited: beyond it, full buckets are removed, because a new bucket is full as well. If no
 * bucket is full, new keys share one.
 */
class TokenBuckets {
    private static class Bucket {
        final double tokens
        final long at

        Bucket(double tokens, long at) {
            this.tokens = tokens
            this.at = at
        }
    }

    private final double size
    private final double perNano
    private final int most
    private final LongSupplier clock
    private final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>()
    private final AtomicInteger untilSweep

    /** @param clock in nanoseconds */
    TokenBuckets(int size, double perSecond, int most, LongSupplier clock) {
        this.size = size
        this.perNano = perSecond / 1e9d
        this.most = most
        this.clock = clock
        this.untilSweep = new AtomicInteger(most)
    }

    /** Takes a token. @return whether there was one */
    boolean take(String key) {
        long now = clock.asLong
        boolean taken = false
        buckets.compute(placed(key, now)) { String k, Bucket before ->
            double tokens = before == null ? size : level(before, now)
            taken = tokens >= 1
            new Bucket(taken ? tokens - 1 : tokens, now)
        }
        taken
    }

    int count() {
        buckets.size()
    }

    private double level(Bucket bucket, long now) {
        Math.min(size, bucket.tokens + (now - bucket.at) * perNano)
    }

    private String placed(String key, long now) {
        if (buckets.containsKey(key) || buckets.size() < most) {
            return key
        }
        // A scan of all buckets is expensive, so it does not run for each new key.
        if (untilSweep.incrementAndGet() >= most) {
            untilSweep.set(most - most.intdiv(10))
            buckets.values().removeIf { Bucket bucket -> level(bucket, now) >= size }
        }
        buckets.size() < most ? key : ''
    }
}
