package dev.lychgate.client;

import dev.lychgate.config.BanRuleConfig;
import dev.lychgate.limit.Buckets;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the responses to each client, and the errors among these responses, in a table of fixed size. A period of
 * counting begins with the first response to a client. Thread-safe without locks.
 *
 * <p>A place of the table contains a hash and one number. This number encodes the second in which the period began, the
 * count of responses and the count of errors. A client has {@value #WAYS} possible places. After the period of a client
 * has ended, another client can take its place. If all places are in use, the responses of a new client are not
 * counted.
 */
final class ErrorShares {
    private static final int WAYS = Buckets.WAYS;
    private static final int COUNT_BITS = 20;
    private static final long MOST = (1L << COUNT_BITS) - 1;
    private static final long SECONDS = (1L << (Long.SIZE - 2 * COUNT_BITS)) - 1;

    private final AtomicLongArray table;
    private final int sets;
    private final int requests;
    private final long percent;
    private final long period;

    /**
     * Creates an empty table.
     *
     * @param clients the number of clients that are counted at the same time; the table rounds the number up, so that
     *     its number of sets is a power of two
     */
    ErrorShares(int clients, BanRuleConfig rule) {
        this.sets = Buckets.sets(clients);
        this.table = new AtomicLongArray(sets * WAYS * 2);
        this.requests = rule.requests();
        this.percent = rule.errors().value();
        this.period = rule.per().toSeconds();
    }

    /**
     * Returns the number of bytes that a table occupies.
     *
     * @param clients the number of clients that are counted at the same time
     */
    static long bytes(int clients) {
        return Buckets.sets(clients) * (long) WAYS * 2 * Long.BYTES;
    }

    /**
     * Counts a response.
     *
     * @param hash the client's {@linkplain ClientTables#hash hash}
     * @param second seconds since a fixed time
     * @return whether the share of errors has reached the limit; if true, the client's counts restart at zero
     */
    boolean count(long hash, boolean error, long second) {
        long tag = hash == 0 ? 1 : hash;
        long now = second & SECONDS;
        int place = place(tag, now);
        if (place < 0) {
            return false;
        }
        while (true) {
            long before = table.get(place + 1);
            boolean continues = age(before, now) < period;
            long all = (continues ? (before >>> COUNT_BITS) & MOST : 0) + 1;
            long errors = (continues ? before & MOST : 0) + (error ? 1 : 0);
            if (all > MOST) {
                all /= 2;
                errors /= 2;
            }
            boolean reached = error && all >= requests && errors * 100 >= all * percent;
            long began = continues ? before >>> (2 * COUNT_BITS) : now;
            long after = reached ? packed(now, 0, 0) : packed(began, all, errors);
            if (table.compareAndSet(place + 1, before, after)) {
                return reached;
            }
        }
    }

    private static long packed(long began, long all, long errors) {
        return began << (2 * COUNT_BITS) | all << COUNT_BITS | errors;
    }

    private static long age(long counts, long now) {
        return (now - (counts >>> (2 * COUNT_BITS))) & SECONDS;
    }

    private int place(long tag, long now) {
        int set = (int) (tag & (sets - 1)) * WAYS * 2;
        int free = -1;
        for (int at = set; at < set + 2 * WAYS; at += 2) {
            long found = table.get(at);
            if (found == tag) {
                return at;
            }
            if (free < 0 && (found == 0 || age(table.get(at + 1), now) >= period)) {
                free = at;
            }
        }
        if (free >= 0) {
            long before = table.get(free);
            // The period of the previous client is over, so its counts do not apply to the new client.
            if ((before == 0 || age(table.get(free + 1), now) >= period) && table.compareAndSet(free, before, tag)) {
                return free;
            }
        }
        return -1;
    }
}
