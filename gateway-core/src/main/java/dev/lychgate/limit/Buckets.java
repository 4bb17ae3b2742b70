package dev.lychgate.limit;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The buckets of one rate limit, in a table of fixed size. Thread-safe without locks; a decision allocates nothing.
 *
 * <p>A bucket is the time at which it is full again (generic cell rate algorithm). Each unit that a request takes moves that time ahead by
 * an interval. A request is refused if that time would be too far ahead: by more than the intervals of a whole burst. A bucket whose time has passed is full, like
 * the bucket of an unknown key, so that its place can be given to another key.
 *
 * <p>A key has {@value #WAYS} possible places, which form a set. If other keys that were used lately occupy all of them, the key shares one
 * more bucket with other such keys of the set. A flood of new keys therefore evicts no other key and resets no bucket, and it gets the rate
 * of one more key per set.
 *
 * <p>Decisions are exact over all threads. When a place changes its key while another thread takes a unit from it, that thread notices the
 * change, returns the unit and decides again.
 */
final class Buckets {
    /** Places per set. */
    static final int WAYS = 8;

    /** Resolution of times: ticks per nanosecond, so that the interval of a high rate is not rounded noticeably. */
    private static final int TICKS = 16;
    /** Longs of a set: a key and a time for each place, and the time of the shared bucket. */
    private static final int SET = 2 * WAYS + 1;

    private static final long FREE = 0;
    /** The most that a bucket can be in debt: about a year. */
    private static final double FURTHEST = 3.2e16 * TICKS;

    private final AtomicLongArray table;
    private final int sets;
    private final double interval;
    private final long burst;
    private final LongAdder crowded;

    /**
     * @param keys the number of keys with separate buckets; rounded up to a power of two of sets
     * @param interval nanoseconds in which a bucket regains one unit, more than 0
     * @param burst the units of a full bucket, at least 1
     * @param crowded counts the decisions that used a shared bucket
     */
    Buckets(int keys, double interval, long burst, LongAdder crowded) {
        this.sets = sets(keys);
        this.table = new AtomicLongArray(sets * SET);
        this.interval = interval * TICKS;
        this.burst = ticks(burst);
        this.crowded = crowded;
    }

    /** Returns the bytes of a table. @param keys as for the constructor */
    static long bytes(int keys) {
        return (long) sets(keys) * SET * Long.BYTES;
    }

    /** Returns the number of sets of a table; a power of two. */
    static int sets(int keys) {
        return Integer.highestOneBit(Math.max(1, (keys - 1) / WAYS)) << 1;
    }

    /** Returns the number of keys with separate buckets. */
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
     * Takes units from the bucket of a key, if it has them.
     *
     * @param key a hash of the key that no client can predict
     * @param units 0 asks only whether the bucket has anything
     * @param now nanoseconds since a fixed time, at least 1
     * @return the units that are left; if the request is refused, the nanoseconds until it would be admitted, negative
     */
    long take(long key, long units, long now) {
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

    /** Takes units from the bucket of a key, which may get into debt. As {@link #take}; the result is at least 0. */
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

    /** Returns units that {@link #take} has just taken. A key that has lost its place since then needs none. */
    void giveBack(long key, long units, long now) {
        long own = key == FREE ? 1 : key;
        int set = set(own);
        for (int at = set; at < set + WAYS; at++) {
            if (table.get(at) == own) {
                table.addAndGet(at + WAYS, -ticks(units));
                return;
            }
        }
        // Otherwise the key shared a bucket, unless that place was given away because it was full.
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

    /** Returns whether a time belongs to a key: its place still has the key, or it is that of the shared bucket. */
    private boolean holds(int place, int set, long key) {
        return place == shared(set) || table.get(place - WAYS) == key;
    }

    private static int shared(int set) {
        return set + 2 * WAYS;
    }

    /** Returns the index of the time of a key's bucket. */
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
     * Returns whether another thread has given an earlier place to the same key; then this place is free again. A key must not have two
     * buckets.
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
