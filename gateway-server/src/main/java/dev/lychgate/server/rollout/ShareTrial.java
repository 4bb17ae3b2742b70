package dev.lychgate.server.rollout;

import java.util.function.ToLongFunction;

/** Compares the shares of exchanges that have a property. */
final class ShareTrial extends Trial {
    private final String part;
    private final ToLongFunction<Counts> with;

    /** @param with counts the exchanges with the property */
    ShareTrial(
            Metric metric,
            String part,
            ToLongFunction<Counts> with,
            double tolerance,
            double falseAborts,
            double misses) {
        super(metric, tolerance, falseAborts, misses);
        this.part = part;
        this.with = with;
    }

    @Override
    Block block(Sides sides) {
        Counts candidate = sides.candidate();
        Counts stable = sides.stable();
        return new Block(
                candidate.exchanges(), with.applyAsLong(candidate), stable.exchanges(), with.applyAsLong(stable));
    }

    @Override
    Block without(int part, Block block, Sides sides) {
        return block(sides.without(part));
    }

    @Override
    double effect(Sides all) {
        return DesignEffect.of(all, with, with);
    }

    @Override
    String part() {
        return part;
    }
}
