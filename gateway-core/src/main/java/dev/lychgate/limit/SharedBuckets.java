package dev.lychgate.limit;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Contains the buckets of one shared rate limit, as far as this gateway uses them. The table has a fixed size and the
 * structure of the table of {@link Buckets}. A key has {@value Buckets#WAYS} possible places, which form a set. If
 * buckets in use occupy all places of the set, the key uses the shared bucket of the set. Thread-safe without locks.
 *
 * <p>From the responses of the store, the gateway computes when a bucket will be full again. Until then, the bucket is
 * in use. A flood of keys therefore creates at most as many buckets in the store as the table has places.
 */
final class SharedBuckets {
    /** The approximate size of a bucket with its place, in bytes. */
    private static final int BUCKET_BYTES = 152;

    /** The number of buckets of a set, including its shared bucket. */
    private static final int SET = Buckets.WAYS + 1;

    private final AtomicReferenceArray<@Nullable SharedBucket> table;
    private final int sets;
    private final LongAdder crowded;

    /**
     * @param keys the number of keys with separate buckets
     * @param crowded counts the decisions that used a shared bucket
     */
    SharedBuckets(int keys, LongAdder crowded) {
        this.sets = Buckets.sets(keys);
        this.table = new AtomicReferenceArray<>(sets * SET);
        this.crowded = crowded;
    }

    /**
     * Returns the size, in bytes, of a table in which all places are in use.
     *
     * @param keys the number of keys with separate buckets, as for the constructor
     */
    static long bytes(int keys) {
        return (long) Buckets.sets(keys) * SET * BUCKET_BYTES;
    }

    /**
     * Returns the bucket of a key; null if the key has no bucket in use.
     *
     * @param key a hash of the key; clients cannot predict the hash
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

    /**
     * Stores a bucket in a free place, or in the place of a bucket that is not in use, and returns the bucket. If there
     * is no such place, returns the shared bucket of the set.
     */
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

    /**
     * Returns whether another thread has stored a second bucket for the key of {@code bucket}. If so, frees {@code
     * place}.
     */
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

    /** Returns the number of leased and unused units in all buckets. Reads the whole table. */
    long leased() {
        long sum = 0;
        for (int at = 0; at < table.length(); at++) {
            SharedBucket bucket = table.get(at);
            sum += bucket == null ? 0 : bucket.leased();
        }
        return sum;
    }
}
