package dev.lychgate.upstream;

import java.util.Arrays;

/**
 * A Maglev hash table, which assigns each of its slots to one endpoint. Each endpoint has a different permutation of
 * the slots. The endpoints take turns, by weight. At each turn, an endpoint takes the next free slot of its
 * permutation. The number of slots of an endpoint differs from its exact share by at most one. A change of the
 * endpoints moves only slightly more slots than necessary. Immutable.
 *
 * @see <a href="https://research.google/pubs/pub44824/">Eisenbud and others, Maglev: A Fast and Reliable Software
 *     Network Load Balancer, 2016, 3.4</a>
 */
final class MaglevTable {
    /**
     * The number of slots. The number is a prime, so that every step size visits all slots. The number is constant,
     * because another number would move almost all clients. The number is so large that the shares of a hundred
     * endpoints differ from their exact shares by less than 1 %. The number is so small that an event loop builds the
     * table in less than a millisecond.
     */
    static final int SLOTS = 16_381;

    private static final char FREE = Character.MAX_VALUE;

    private final char[] owners;

    private MaglevTable(char[] owners) {
        this.owners = owners;
    }

    static MaglevTable of(EndpointSet set) {
        int n = Math.min(set.size(), FREE);
        double most = 0;
        for (int i = 0; i < n; i++) {
            most = Math.max(most, set.share(i));
        }
        int[] next = new int[n];
        int[] steps = new int[n];
        for (int i = 0; i < n; i++) {
            long seed = set.endpoint(i).seed();
            next[i] = (int) Long.remainderUnsigned(seed, SLOTS);
            steps[i] = 1 + (int) Long.remainderUnsigned(Hash.mix(seed), SLOTS - 1);
        }
        char[] owners = new char[SLOTS];
        Arrays.fill(owners, FREE);
        double[] turns = new double[n];
        for (int taken = 0; taken < SLOTS; ) {
            for (int i = 0; i < n && taken < SLOTS; i++) {
                turns[i] += set.share(i) / most;
                if (turns[i] >= 1) {
                    turns[i] -= 1;
                    while (owners[next[i]] != FREE) {
                        next[i] = after(next[i], steps[i]);
                    }
                    owners[next[i]] = (char) i;
                    taken++;
                }
            }
        }
        return new MaglevTable(owners);
    }

    int slot(long hash) {
        return (int) Long.remainderUnsigned(hash, SLOTS);
    }

    /** Returns the endpoint that owns a slot of the hash table, as the index of the endpoint in the set. */
    int owner(int slot) {
        return owners[slot];
    }

    /**
     * Returns the slot of the hash table to try next if the owner of {@code slot} cannot be used. The owners of
     * successive slots are unrelated.
     */
    int next(int slot) {
        return after(slot, 1);
    }

    private static int after(int slot, int step) {
        int sum = slot + step;
        return sum >= SLOTS ? sum - SLOTS : sum;
    }
}
