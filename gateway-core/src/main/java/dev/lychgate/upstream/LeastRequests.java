package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Power of two choices: two endpoints by lot, by weight, and of them the one with fewer requests under way for its share.
 * Nearly as even as looking at all of them, without the herd that runs to the one that is idle at the moment, which many
 * loops and gateways would all see at once. While nothing is under way the first one drawn is taken, so weights hold at low
 * load too. Of two of which one has just failed the other is taken: an endpoint that refuses everything is never busy.
 *
 * @see <a href="https://doi.org/10.1109/71.963420">Mitzenmacher, The Power of Two Choices in Randomized Load Balancing,
 *     2001</a>
 */
final class LeastRequests implements BalancingPolicy {
    private final EndpointSet set;
    private final EndpointLoad[] loads;
    private final WeightedLot lot;
    private final LongSupplier clock;

    /**
     * @param loads of the set's endpoints, in their order
     * @param clock nanoseconds
     */
    LeastRequests(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        this.set = set;
        this.loads = loads;
        this.lot = new WeightedLot(set, random);
        this.clock = clock;
    }

    @Override
    public int first(BalanceContext context) {
        int one = lot.draw();
        int other = lot.drawBeside(one);
        EndpointLoad here = loads[one];
        EndpointLoad there = loads[other];
        boolean failed = here.hasJustFailed(clock);
        if (failed != there.hasJustFailed(clock)) {
            return failed ? other : one;
        }
        return there.outstanding() * set.share(one) < here.outstanding() * set.share(other) ? other : one;
    }

    @Override
    public EndpointSet set() {
        return set;
    }
}
