package dev.lychgate.limit;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a shared limit that this gateway has in use, in a table of fixed size like that of {@link Buckets}: a key has
 * {@value Buckets#WAYS} possible places, and if buckets in use occupy all of them, the key shares one more bucket with other such keys of
 * the set. A bucket is in use until it is full again in the store, as far as the gateway knows. A flood of keys thus creates no more
 * buckets in the store than the table has places. Thread-safe without locks.
 */
final class SharedBuckets {
    /** About the bytes of a bucket, with its place. */
    private static final int BUCKET_BYTES = 152;

    /** Buckets of a set, with the one that several keys share. */
    private static final int SET = Buckets.WAYS + 1;

    private final AtomicReferenceArray<@Nullable SharedBucket> table;
    private final int sets;
    private final LongAdder crowded;

    /**
     * @param keys as for {@link Buckets}
     * @param crowded counts the decisions that used a bucket of several keys
     */
    SharedBuckets(int keys, LongAdder crowded) {
        this.sets = Buckets.sets(keys);
        this.table = new AtomicReferenceArray<>(sets * SET);
        this.crowded = crowded;
    }

    /**
     * Returns the bytes of a table whose places are all in use.
     *
     * @param keys as for the constructor
     */
    static long bytes(int keys) {
        return (long) Buckets.sets(keys) * SET * BUCKET_BYTES;
    }

    /**
     * Returns the bucket of a key; null if it has none in use.
     *
     * @param key a hash of the key that no client can predict
     */
    @Nullable
    SharedBucket find(long key) {
        int set = set(key);
        for (int at = set; at < set + Buckets.WAYS; at++) {
            SharedBucket found = table.get(at);
            if (found != null && found.key() == key) {
                return found;
            }
        }
        return null;
    }

    /** Gives a bucket a place, which that of another key may have to leave, or returns the bucket that its key shares with others. */
    SharedBucket add(SharedBucket bucket, long now) {
        int set = set(bucket.key());
        while (true) {
            SharedBucket known = find(bucket.key());
            if (known != null) {
                return known;
            }
            int place = free(set, now);
            if (place < 0) {
                crowded.increment();
                return crowded(set, bucket);
            }
            SharedBucket before = table.get(place);
            if ((before == null || !before.isInUse(now)) && table.compareAndSet(place, before, bucket)) {
                if (before != null) {
                    before.abandon();
                }
                if (!isElsewhere(set, bucket, place)) {
                    return bucket;
                }
            }
        }
    }

    private int free(int set, long now) {
        for (int at = set; at < set + Buckets.WAYS; at++) {
            SharedBucket found = table.get(at);
            if (found == null || !found.isInUse(now)) {
                return at;
            }
        }
        return -1;
    }

    private SharedBucket crowded(int set, SharedBucket like) {
        int place = set + Buckets.WAYS;
        SharedBucket shared = table.get(place);
        if (shared == null) {
            table.compareAndSet(place, null, like.ofSet(set / SET));
            shared = table.get(place);
        }
        return shared == null ? like : shared;
    }

    /** Returns whether another thread has given a place to the same key; then this place is free again. */
    private boolean isElsewhere(int set, SharedBucket bucket, int place) {
        for (int at = set; at < set + Buckets.WAYS; at++) {
            SharedBucket other = table.get(at);
            if (at != place && other != null && other.key() == bucket.key()) {
                table.compareAndSet(place, bucket, null);
                return true;
            }
        }
        return false;
    }

    private int set(long key) {
        return (int) ((key >>> 32) & (sets - 1)) * SET;
    }

    /** Returns how many keys have a bucket in use. Reads the whole table. */
    int used(long now) {
        int used = 0;
        for (int at = 0; at < table.length(); at++) {
            SharedBucket bucket = table.get(at);
            if (at % SET != Buckets.WAYS && bucket != null && bucket.isInUse(now)) {
                used++;
            }
        }
        return used;
    }

    /** Returns the units of all leases. Reads the whole table. */
    long leased() {
        long sum = 0;
        for (int at = 0; at < table.length(); at++) {
            SharedBucket bucket = table.get(at);
            sum += bucket == null ? 0 : bucket.leased();
        }
        return sum;
    }
}
