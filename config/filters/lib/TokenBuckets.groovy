import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.LongSupplier

/**
 * One token bucket per key: full at first, a token poorer with each take, and richer with time. Safe to share between event
 * loops, and no longer than it may be: when there are too many buckets, those that are full again are forgotten, as they
 * say nothing; if none are, new keys share one.
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
        // Looking through all of them has a price, so it is not done for every newcomer.
        if (untilSweep.incrementAndGet() >= most) {
            untilSweep.set(most - most.intdiv(10))
            buckets.values().removeIf { Bucket bucket -> level(bucket, now) >= size }
        }
        buckets.size() < most ? key : ''
    }
}
