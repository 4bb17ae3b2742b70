package dev.lychgate.upstream;

import java.util.SplittableRandom;

/** By lot, by weight: nothing is counted, so any number of loops and gateways deals out exactly like one. */
final class RandomChoice implements BalancingPolicy {
    private final EndpointSet set;
    private final WeightedLot lot;

    RandomChoice(EndpointSet set, SplittableRandom random) {
        this.set = set;
        this.lot = new WeightedLot(set, random);
    }

    @Override
    public int first(BalanceContext context) {
        return lot.draw();
    }

    @Override
    public EndpointSet set() {
        return set;
    }
}
