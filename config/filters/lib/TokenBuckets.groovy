import java.util.concurrent.ConcurrentMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.LongSupplier

/**
 * One token bucket per key, initially full. A bucket is stored as the time at which it is full again, so the map contains only classes of
 * the JDK and can be shared with the next generation. If there are too many buckets, full buckets are removed, because a new bucket would
 * be equal; if no bucket is full, new keys share one bucket. Thread-safe.
 */
class TokenBuckets {
    private static final String SHARED = ''

    private final ConcurrentMap<String, Long> fullAt
    private final long capacity
    private final double perToken
    private final int most
    private final LongSupplier clock
    private final AtomicInteger untilSweep

    /** @param fullAt the buckets: for each key the time at which it is full @param clock in nanoseconds */
    TokenBuckets(ConcurrentMap<String, Long> fullAt, int size, double perSecond, int most, LongSupplier clock) {
        this.fullAt = fullAt
        this.perToken = 1e9d / perSecond
        this.capacity = (long) Math.ceil(size * perToken)
        this.most = most
        this.clock = clock
        this.untilSweep = new AtomicInteger(most)
    }

    /** Takes a token. @return whether the bucket had a token */
    boolean take(String key) {
        long now = clock.asLong
        boolean taken = false
        fullAt.compute(placed(key, now)) { String k, Long full ->
            long missing = missing(full, now)
            taken = missing + perToken <= capacity
            now + missing + (taken ? (long) perToken : 0L)
        }
        taken
    }

    /** Takes tokens even if the bucket has fewer tokens. The bucket then stays empty until the missing tokens have refilled. */
    void charge(String key, long tokens) {
        long now = clock.asLong
        // Debts have a bound, so that times do not overflow.
        long price = (long) Math.min(tokens * perToken, 1e17d)
        fullAt.compute(placed(key, now)) { String k, Long full ->
            now + (long) Math.min((double) missing(full, now) + price, 1e17d)
        }
    }

    /** Returns the seconds until there is a token; 0 if there is one. */
    long delay(String key) {
        long now = clock.asLong
        long missing = missing(fullAt[placed(key, now)], now)
        double over = missing + perToken - capacity
        over <= 0 ? 0L : Math.max(1L, (long) Math.ceil(over / 1e9d))
    }

    int count() {
        fullAt.size()
    }

    /** Returns the time until the bucket is full. */
    private static long missing(Long full, long now) {
        full == null ? 0L : Math.max(0L, full - now)
    }

    private String placed(String key, long now) {
        if (fullAt.containsKey(key) || fullAt.size() < most) {
            return key
        }
        // A sweep visits all buckets, so it does not run for each new key.
        if (untilSweep.incrementAndGet() >= most) {
            untilSweep.set(most - most.intdiv(10))
            fullAt.values().removeIf { Long full -> full - now <= 0 }
        }
        fullAt.size() < most ? key : SHARED
    }
}
