package dev.lychgate.server.recorder;

import java.time.Duration;

/**
 * How many exchanges an event loop may record: a few per second of each kind, and a few more in all. A kind that fails all
 * the time does not use up what another kind needs. Kinds are told apart by a hash, so two of them may share a quota.
 * Allocates nothing; on one event loop.
 */
final class RecordingQuota {
    /** A power of two. */
    private static final int KINDS = 128;

    private static final int BURST = 16;
    private static final long INTERVAL = Duration.ofMillis(250).toNanos();
    private static final int TOTAL_BURST = 128;
    private static final long TOTAL_INTERVAL = Duration.ofMillis(25).toNanos();

    private final Bucket[] kinds = new Bucket[KINDS];
    private final Bucket total = new Bucket(TOTAL_BURST, TOTAL_INTERVAL);

    private static final class Bucket {
        private final int burst;
        private final long interval;
        private long since;
        private int left;

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
    }

    RecordingQuota() {
        for (int i = 0; i < KINDS; i++) {
            kinds[i] = new Bucket(BURST, INTERVAL);
        }
    }

    /**
     * Takes a permit if there is one.
     *
     * @param kind a hash of the kind of exchange
     * @param now nanoseconds of the event loop's clock
     */
    boolean tryTake(int kind, long now) {
        Bucket bucket = kinds[(kind ^ (kind >>> 16)) & (KINDS - 1)];
        if (!bucket.hasAny(now) || !total.hasAny(now)) {
            return false;
        }
        bucket.left--;
        total.left--;
        return true;
    }
}
