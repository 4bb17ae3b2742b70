package dev.lychgate.server.recorder;

import java.time.Duration;

/**
 * Limits the exchanges that an event loop records per second. Three quotas apply:
 *
 * <ul>
 *   <li>a small quota for each kind, so that a frequent kind does not use up the quota of another kind
 *   <li>a larger quota for all kinds together
 *   <li>an additional quota for rare kinds, which is used if the quota of all kinds is exhausted. It admits the first
 *       exchange of a kind after some time without a recorded exchange of this kind
 * </ul>
 *
 * A hash identifies a kind; kinds with equal hashes share a quota. A check allocates no memory. Used only on one event
 * loop.
 */
final class RecordingQuota {
    /** Number of buckets, a power of two. */
    private static final int KINDS = 128;

    /** The number of adjacent buckets from which one is selected for a kind. */
    private static final int WAYS = 4;

    /** A kind is rare if no exchange of the kind was recorded for at least this time. */
    private static final long RARE = Duration.ofSeconds(4).toNanos();

    private static final int RARE_BURST = 32;
    private static final long RARE_INTERVAL = Duration.ofMillis(100).toNanos();

    private static final int BURST = 16;
    private static final long INTERVAL = Duration.ofMillis(250).toNanos();
    private static final int TOTAL_BURST = 128;
    private static final long TOTAL_INTERVAL = Duration.ofMillis(25).toNanos();

    private final Bucket[] kinds = new Bucket[KINDS];
    private final Bucket total = new Bucket(TOTAL_BURST, TOTAL_INTERVAL);
    private final Bucket rare = new Bucket(RARE_BURST, RARE_INTERVAL);

    private static final class Bucket {
        private final int burst;
        private final long interval;
        private long since;
        private int left;
        private boolean used;
        private int kind;
        private long taken;

        Bucket(int burst, long interval) {
            this.burst = burst;
            this.interval = interval;
            this.left = burst;
        }

        boolean hasAny(long now) {
            long earned = (now - since) / interval;
            if (earned > 0) {
                left = (int) Math.min(burst, left + earned);
                since = now;
            }
            return left > 0;
        }

        void take(long now) {
            left--;
            used = true;
            taken = now;
        }

        boolean isRare(long now) {
            return !used || now - taken >= RARE;
        }

        void become(int other) {
            kind = other;
            used = false;
            left = burst;
        }
    }

    RecordingQuota() {
        for (int i = 0; i < KINDS; i++) {
            kinds[i] = new Bucket(BURST, INTERVAL);
        }
    }

    /**
     * Takes a permit to record an exchange. Returns false if the quota is exhausted.
     *
     * @param kind a hash of the kind of exchange
     * @param now nanoseconds of the event loop's clock
     */
    boolean tryTake(int kind, long now) {
        Bucket bucket = bucket(kind, now);
        if (!bucket.hasAny(now)) {
            return false;
        }
        Bucket from = total.hasAny(now) || !bucket.isRare(now) ? total : rare;
        if (!from.hasAny(now)) {
            return false;
        }
        bucket.take(now);
        from.take(now);
        return true;
    }

    /**
     * Returns the bucket of a kind. If the kind has no bucket, it gets the least recently used of its possible buckets.
     */
    private Bucket bucket(int kind, long now) {
        int hash = kind * 0x9E3779B9;
        Bucket oldest = kinds[hash >>> 25];
        for (int i = 0; i < WAYS; i++) {
            Bucket bucket = kinds[((hash >>> 25) + i) & (KINDS - 1)];
            if (bucket.used && bucket.kind == kind) {
                return bucket;
            }
            if (oldest.used && (!bucket.used || now - bucket.taken > now - oldest.taken)) {
                oldest = bucket;
            }
        }
        oldest.become(kind);
        return oldest;
    }
}
