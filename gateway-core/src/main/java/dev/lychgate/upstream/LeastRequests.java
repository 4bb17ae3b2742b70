package dev.lychgate.upstream;

import java.util.SplittableRandom;

/**
 * Power of two choices: two endpoints by lot, by weight, and of them the one with fewer requests under way for its share.
 * Nearly as even as looking at all of them, without the herd that runs to the one that is idle at the moment, which many
 * loops and gateways would all see at once. While nothing is under way the first one drawn is taken, so weights hold at low
 * load too.
 *
 * @see <a href="https://doi.org/10.1109/71.963420">Mitzenmacher, The Power of Two Choices in Randomized Load Balancing,
 *     2001</a>
 */
final class LeastRequests implements BalancingPolicy {
    private final EndpointSet set;
    private final EndpointLoad[] loads;
    private final WeightedLot lot;

    /** @param loads of the set's endpoints, in their order */
    LeastRequests(EndpointSet set, EndpointLoad[] loads, SplittableRandom random) {
        this.set = set;
        this.loads = loads;
        this.lot = new WeightedLot(set, random);
    }

    @Override
    public int first(BalanceContext context) {
        int one = lot.draw();
        int other = lot.drawBeside(one);
        return loads[other].outstanding() * set.share(one) < loads[one].outstanding() * set.share(other) ? other : one;
    }

    @Override
    public EndpointSet set() {
        return set;
    }
}
