package dev.lychgate.client;

import dev.lychgate.limit.Buckets;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the open connections, requests or streams of each client, in a table of fixed size. Thread-safe without locks.
 * Counting allocates no memory.
 *
 * <p>A place is one number: 44 bits of the client's hash and a count. A place with the count 0 is free. A client has
 * {@value #WAYS} possible places, which form a set. If other clients occupy all of these places, the client is counted
 * in the shared place of the set. Therefore, even a flood of clients evicts no count.
 */
final class ClientCounts {
    private static final int WAYS = Buckets.WAYS;
    private static final int SET = WAYS + 1;
    private static final int COUNT_BITS = 20;
    private static final long MOST = (1L << COUNT_BITS) - 1;

    private final AtomicLongArray table;
    private final int sets;
    private final LongAdder crowded;

    /**
     * Creates an empty table.
     *
     * @param clients the number of clients with separate counts; the table rounds the number up, so that its number of
     *     sets is a power of two
     * @param crowded counts how often a client is counted in a shared place
     */
    ClientCounts(int clients, LongAdder crowded) {
        this.sets = Buckets.sets(clients);
        this.table = new AtomicLongArray(sets * SET);
        this.crowded = crowded;
    }

    /**
     * Returns the number of bytes that a table occupies.
     *
     * @param clients the number of clients with separate counts
     */
    static long bytes(int clients) {
        return Buckets.sets(clients) * (long) SET * Long.BYTES;
    }

    /**
     * Returns the number of occupied places. A place belongs to one client; a shared place belongs to several clients.
     * This method reads the whole table.
     */
    int clients() {
        int clients = 0;
        for (int i = 0; i < table.length(); i++) {
            if ((table.get(i) & MOST) > 0) {
                clients++;
            }
        }
        return clients;
    }

    /**
     * Adds one to the count of a client, unless the count has reached its maximum.
     *
     * @param hash the client's {@linkplain ClientTables#hash hash}
     * @param most the maximum
     * @return the place to {@linkplain #leave leave}; -1 if the count has reached its maximum
     */
    int enter(long hash, int most) {
        int set = (int) (hash & (sets - 1)) * SET;
        long tag = hash & ~MOST;
        while (true) {
            int place = place(set, tag);
            long before = table.get(place);
            boolean shared = place == set + WAYS;
            long count = before & MOST;
            if (!shared && count > 0 && (before & ~MOST) != tag) {
                // Another client has just taken the place.
                continue;
            }
            if (count >= Math.min(most, MOST)) {
                return -1;
            }
            if (table.compareAndSet(place, before, tag | (count + 1)) && (shared || isAlone(set, place, tag, count))) {
                if (shared) {
                    crowded.increment();
                }
                return place;
            }
        }
    }

    /**
     * Subtracts one from the count of a client.
     *
     * @param place the place that {@link #enter} returned
     */
    void leave(int place) {
        table.decrementAndGet(place);
    }

    /**
     * Returns the place of a client: the place that the client already has, or else a free place, or else the shared
     * place of the set.
     */
    private int place(int set, long tag) {
        int free = -1;
        for (int at = set; at < set + WAYS; at++) {
            long found = table.get(at);
            if ((found & MOST) == 0) {
                free = free < 0 ? at : free;
            } else if ((found & ~MOST) == tag) {
                return at;
            }
        }
        return free < 0 ? set + WAYS : free;
    }

    /**
     * Returns whether {@code place} is the only place of its client. If another thread has given the client a second
     * place in the meantime, this method frees {@code place}, because a client must not have two counts.
     *
     * @param count the count before the addition
     */
    private boolean isAlone(int set, int place, long tag, long count) {
        if (count > 0) {
            return true;
        }
        for (int at = set; at < set + WAYS; at++) {
            long found = table.get(at);
            if (at != place && (found & MOST) > 0 && (found & ~MOST) == tag) {
                table.decrementAndGet(place);
                return false;
            }
        }
        return true;
    }
}
