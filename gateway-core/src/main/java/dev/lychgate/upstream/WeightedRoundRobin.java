package dev.lychgate.upstream;

import java.util.SplittableRandom;

/**
 * Smooth weighted round robin: of weights 5, 1, 1 comes {@code a a b a c a a}, not {@code a a a a a b c}. At each choice
 * every endpoint earns its share; the richest is chosen and pays for all. So each gets exactly its share in the long run
 * and is never far from it. Looks at every endpoint for each choice.
 *
 * @see <a href="https://github.com/nginx/nginx/commit/52327e0627f49dbda1e8db695e63a4b0af4448b1">nginx, Upstream: smooth
 *     weighted round-robin balancing</a>, where it comes from
 */
final class WeightedRoundRobin extends BalancingPolicy {
    private static final int START = 64;

    private final double[] credits;

    /** @param random where in the round to begin: loops, and tables built anew, must not all begin with the heaviest */
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
