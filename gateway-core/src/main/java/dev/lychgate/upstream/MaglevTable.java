package dev.lychgate.upstream;

import java.util.Arrays;

/**
 * Maglev's table: slots of equal size, each belonging to one endpoint. Every endpoint has an order of its own in which it
 * wants the slots; in turns, by weight, each takes the next that is free. So the shares are met to the slot, and a change of
 * the endpoints moves little beyond what it must. Immutable.
 *
 * @see <a href="https://research.google/pubs/pub44824/">Eisenbud and others, Maglev: A Fast and Reliable Software Network
 *     Load Balancer, 2016, 3.4</a>
 */
final class MaglevTable {
    /**
     * A prime, so that every step goes through all slots; never another one, since that would move nearly everybody. Large
     * enough for a hundred endpoints to differ by less than 1 %, small enough to be built on a loop, in
     * less than a millisecond.
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

    /** Whose slot it is: an index in the set. */
    int owner(int slot) {
        return owners[slot];
    }

    /** The slot to look at next, where the owner of {@code slot} will not do: its neighbours belong to anybody. */
    int next(int slot) {
        return after(slot, 1);
    }

    private static int after(int slot, int step) {
        int sum = slot + step;
        return sum >= SLOTS ? sum - SLOTS : sum;
    }
}
