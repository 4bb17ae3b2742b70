package dev.lychgate.upstream;

import java.util.SplittableRandom;

/** By lot, by weight: nothing is counted, so any number of loops and gateways deals out exactly like one. */
final class RandomChoice extends BalancingPolicy {
    private final WeightedLot lot;

    RandomChoice(EndpointSet set, SplittableRandom random) {
        super(set);
        this.lot = new WeightedLot(set, random);
    }

    @Override
    int first(BalanceContext context) {
        return lot.draw();
    }
}
