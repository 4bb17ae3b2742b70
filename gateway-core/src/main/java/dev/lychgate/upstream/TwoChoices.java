package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Two endpoints by lot, by weight, and of them the better one: nearly as good as to look at all of them, without the herd that
 * runs to the one that is best at the moment, which many loops and gateways would all see at once. Where neither is better the
 * first one drawn is taken, so weights hold at low load too.
 *
 * @see <a href="https://doi.org/10.1109/71.963420">Mitzenmacher, The Power of Two Choices in Randomized Load Balancing,
 *     2001</a>
 */
abstract class TwoChoices implements BalancingPolicy {
    private final EndpointSet set;
    private final EndpointLoad[] loads;
    private final WeightedLot lot;
    final LongSupplier clock;

    /**
     * @param loads of the set's endpoints, in their order
     * @param clock nanoseconds
     */
    TwoChoices(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        this.set = set;
        this.loads = loads;
        this.lot = new WeightedLot(set, random);
        this.clock = clock;
    }

    /** Whether the other one is better. @param share of the traffic that the one is to have; {@code otherShare} of the other */
    abstract boolean isOtherBetter(EndpointLoad one, double share, EndpointLoad other, double otherShare);

    @Override
    public final int first(BalanceContext context) {
        int one = lot.draw();
        int other = lot.drawBeside(one);
        return isOtherBetter(loads[one], set.share(one), loads[other], set.share(other)) ? other : one;
    }

    @Override
    public final EndpointSet set() {
        return set;
    }
}
