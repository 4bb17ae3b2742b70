package dev.lychgate.limit;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The buckets of one rate limit, in a table of fixed size. Thread-safe without locks; a decision allocates nothing.
 *
 * <p>A bucket is stored as a single number: the time at which it is full again (generic cell rate algorithm). Each unit
 * that a request takes moves this time into the future by one interval. A bucket with a burst of N units refuses a
 * request that would move the time more than N intervals into the future.
 *
 * <p>A bucket whose time has passed is full. A full bucket need not be stored, because the bucket of an unknown key is
 * also full. Another key can therefore take its place in the table.
 *
 * <p>A key has {@value #WAYS} possible places, which form a set. If other keys occupy all these places, and none of
 * their buckets is full, the key uses the shared bucket of the set. A flood of new keys therefore evicts no other key
 * and resets no bucket. Together, all keys that use a shared bucket get at most the rate of one key.
 *
 * <p>Decisions are exact across all threads. If the key of a place changes while a thread takes a unit, the thread
 * detects the change, returns the unit and decides again.
 */
public final class Buckets {
    /** The number of places per set. */
    public static final int WAYS = 8;

    /**
     * The resolution of times, in ticks per nanosecond. At this resolution, rounding does not noticeably change the
     * interval of a high rate.
     */
    private static final int TICKS = 16;
    /** The number of longs per set: a key and a time for each place, and the time of the shared bucket. */
    private static final int SET = 2 * WAYS + 1;

    private static final long FREE = 0;
    /** The maximum debt of a bucket, in ticks: about a year. */
    private static final double FURTHEST = 3.2e16 * TICKS;

    private final AtomicLongArray table;
    private final int sets;
    private final double interval;
    private final long burst;
    private final LongAdder crowded;

    /**
     * @param keys the number of keys with separate buckets; rounded up so that the number of sets is a power of two
     * @param interval the time in which a bucket regains one unit, in nanoseconds, more than 0
     * @param burst the number of units in a full bucket, at least 1
     * @param crowded counts the decisions that used a shared bucket
     */
    public Buckets(int keys, double interval, long burst, LongAdder crowded) {
        this.sets = sets(keys);
        this.table = new AtomicLongArray(sets * SET);
        this.interval = interval * TICKS;
        this.burst = ticks(burst);
        this.crowded = crowded;
    }

    /**
     * Returns the size of a table in bytes.
     *
     * @param keys the number of keys with separate buckets, as for the constructor
     */
    public static long bytes(int keys) {
        return (long) sets(keys) * SET * Long.BYTES;
    }

    /** Returns the number of sets of a table; a power of two. */
    public static int sets(int keys) {
        return Integer.highestOneBit(Math.max(1, (keys - 1) / WAYS)) << 1;
    }

    /** Returns how many keys can have separate buckets at the same time. */
    int places() {
        return sets * WAYS;
    }

    /** Returns how many keys have a separate bucket that is not full. */
    int used(long now) {
        long time = now * TICKS;
        int used = 0;
        for (int set = 0; set < sets * SET; set += SET) {
            for (int at = set; at < set + WAYS; at++) {
                if (table.get(at) != FREE && table.get(at + WAYS) > time) {
                    used++;
                }
            }
        }
        return used;
    }

    /**
     * Takes {@code units} from the bucket of a key if the bucket contains at least this number.
     *
     * @param key a hash of the key; clients cannot predict the hash
     * @param units the units to take; with 0, this method only checks whether the bucket is not empty
     * @param now the time in nanoseconds since a fixed point, at least 1
     * @return the number of units that are left; if the request is refused, the negated number of nanoseconds until it
     *     would be admitted
     */
    public long take(long key, long units, long now) {
        long own = key == FREE ? 1 : key;
        long time = now * TICKS;
        long cost = ticks(units);
        int set = set(own);
        while (true) {
            int place = place(set, own, time);
            long full = table.get(place);
            long next = Math.max(full, time) + cost;
            long excess = next - time - burst;
            if (excess > 0 || (units == 0 && excess == 0)) {
                if (holds(place, set, own)) {
                    return -Math.max(1, (Math.max(1, excess) + TICKS - 1) / TICKS);
                }
            } else if (table.compareAndSet(place, full, next)) {
                if (holds(place, set, own)) {
                    return (long) (-excess / interval);
                }
                table.addAndGet(place, -cost);
            }
        }
    }

    /**
     * Takes units from the bucket of a key even if the bucket does not contain them, so that the bucket gets into debt.
     * The parameters are the same as in {@link #take}; the result is at least 0.
     */
    long charge(long key, long units, long now) {
        long own = key == FREE ? 1 : key;
        long time = now * TICKS;
        long cost = ticks(units);
        long furthest = time + (long) FURTHEST;
        int set = set(own);
        while (true) {
            int place = place(set, own, time);
            long full = table.get(place);
            long next = Math.min(furthest, Math.max(full, time) + cost);
            if (table.compareAndSet(place, full, next)) {
                if (holds(place, set, own)) {
                    return Math.max(0, (long) ((burst - (next - time)) / interval));
                }
                table.addAndGet(place, Math.max(full, time) - next);
            }
        }
    }

    /**
     * Returns units to the bucket from which {@link #take} has just taken them. If another key has taken the place of
     * the bucket since then, the bucket is full and needs no units.
     */
    void giveBack(long key, long units, long now) {
        long own = key == FREE ? 1 : key;
        int set = set(own);
        for (int at = set; at < set + WAYS; at++) {
            if (table.get(at) == own) {
                table.addAndGet(at + WAYS, -ticks(units));
                return;
            }
        }
        // If the key has no place, the key used the shared bucket, or its own bucket has become full and another key
        // has taken the place.
        if (table.get(shared(set)) > now * TICKS) {
            table.addAndGet(shared(set), -ticks(units));
        }
    }

    private long ticks(long units) {
        return (long) Math.min(FURTHEST, Math.rint(units * interval));
    }

    private int set(long key) {
        return (int) ((key >>> 32) & (sets - 1)) * SET;
    }

    /**
     * Returns whether {@code place} belongs to a key: the place still contains the key, or the place is the shared
     * bucket of the set.
     */
    private boolean holds(int place, int set, long key) {
        return place == shared(set) || table.get(place - WAYS) == key;
    }

    private static int shared(int set) {
        return set + 2 * WAYS;
    }

    /**
     * Returns the table index at which the time of a key's bucket is stored. If the key has no place, assigns a free
     * place or the place of a full bucket.
     */
    private int place(int set, long key, long time) {
        while (true) {
            int candidate = -1;
            for (int at = set; at < set + WAYS; at++) {
                long found = table.get(at);
                if (found == key) {
                    return at + WAYS;
                }
                if (candidate < 0 && (found == FREE || table.get(at + WAYS) <= time)) {
                    candidate = at;
                }
            }
            if (candidate < 0) {
                crowded.increment();
                return shared(set);
            }
            long before = table.get(candidate);
            boolean stillFull = before == FREE || table.get(candidate + WAYS) <= time;
            if (stillFull && table.compareAndSet(candidate, before, key) && !isElsewhere(set, key, candidate)) {
                return candidate + WAYS;
            }
        }
    }

    /**
     * Returns whether another thread has assigned a second place to {@code key}. If so, frees {@code place}, because a
     * key must not have two buckets.
     */
    private boolean isElsewhere(int set, long key, int place) {
        for (int at = set; at < set + WAYS; at++) {
            if (at != place && table.get(at) == key) {
                table.compareAndSet(place, key, FREE);
                return true;
            }
        }
        return false;
    }
}
