package dev.lychgate.upstream;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Two endpoints by lot, by weight, and of them the one with the lower {@link EndpointLoad#cost}: how long answers take
 * there, times the requests that are under way and the one to come. An endpoint that turns slow is left within a few
 * answers, long before a check would notice.
 */
final class LeastResponseTime implements BalancingPolicy {
    private final EndpointSet set;
    private final EndpointLoad[] loads;
    private final WeightedLot lot;
    private final LongSupplier clock;

    /**
     * @param loads of the set's endpoints, in their order
     * @param clock nanoseconds
     */
    LeastResponseTime(EndpointSet set, EndpointLoad[] loads, SplittableRandom random, LongSupplier clock) {
        this.set = set;
        this.loads = loads;
        this.lot = new WeightedLot(set, random);
        this.clock = clock;
    }

    @Override
    public int first(BalanceContext context) {
        int one = lot.draw();
        int other = lot.drawBeside(one);
        long now = clock.getAsLong();
        return loads[other].cost(now) * set.share(one) < loads[one].cost(now) * set.share(other) ? other : one;
    }

    @Override
    public EndpointSet set() {
        return set;
    }
}
