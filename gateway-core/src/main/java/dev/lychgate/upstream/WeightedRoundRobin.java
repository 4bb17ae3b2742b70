package dev.lychgate.upstream;

import java.util.SplittableRandom;

/**
 * Smooth weighted round robin: weights 5, 1, 1 yield {@code a a b a c a a}, not {@code a a a a a b c}. At each
 * selection, the credit of every endpoint rises by its share. The endpoint with the most credit is selected, and its
 * credit falls by the sum of all shares. In the long run, each endpoint gets exactly its share; short-term deviations
 * are small. Each selection visits every endpoint.
 *
 * @see <a href="https://github.com/nginx/nginx/commit/52327e0627f49dbda1e8db695e63a4b0af4448b1">nginx, Upstream: smooth
 *     weighted round-robin balancing</a>, the source of the algorithm
 */
final class WeightedRoundRobin extends BalancingPolicy {
    private static final int START = 64;

    private final double[] credits;

    /**
     * Creates the algorithm for a set of endpoints.
     *
     * @param random determines the initial position in the round, so that event loops and new tables do not all start
     *     with the endpoint of the highest weight
     */
    WeightedRoundRobin(EndpointSet set, SplittableRandom random) {
        this(set);
        for (int steps = random.nextInt(START); steps > 0; steps--) {
            advance();
        }
    }

    WeightedRoundRobin(EndpointSet set) {
        super(set);
        this.credits = new double[set.size()];
    }

    @Override
    int first(BalanceContext context) {
        return advance();
    }

    private int advance() {
        int richest = 0;
        for (int i = 0; i < credits.length; i++) {
            credits[i] += set.share(i);
            if (credits[i] > credits[richest]) {
                richest = i;
            }
        }
        credits[richest] -= 1;
        return richest;
    }
}
