package dev.lychgate.server.rollout;

import org.jspecify.annotations.Nullable;

/** The comparison of one figure of both generations, and the evidence at which it ends. Not thread-safe. */
abstract sealed class Trial permits ShareTrial, LatencyTrial {
    /**
     * Exchanges of the candidate that must have the compared property before it is aborted: a few failures in a row may have one
     * cause, such as a single client.
     */
    static final int LEAST = 5;

    private final Metric metric;
    private final Comparison comparison;
    private final WithoutParts withoutParts;
    private final double worseAt;
    private final double harmlessAt;
    private double evidence;
    private boolean worse;

    /**
     * @param tolerance as a share
     * @param falseAborts the probability that a candidate that is not worse is aborted by this trial
     * @param misses the probability that a candidate at the tolerance passes this trial
     */
    Trial(Metric metric, double tolerance, double falseAborts, double misses) {
        this.metric = metric;
        this.comparison = new Comparison(tolerance);
        this.withoutParts = new WithoutParts(tolerance, this::without);
        this.worseAt = -Math.log(falseAborts);
        this.harmlessAt = -Math.log(misses);
    }

    /** Adds exchanges that ended in the same time. @param all the exchanges of the step, these included */
    final void add(Sides sides, Sides all) {
        Block block = block(sides);
        if (block != null) {
            comparison.add(block, effect(all));
            withoutParts.add(block);
            evidence = comparison.worse();
            if (comparison.candidate().with() >= LEAST && evidence >= worseAt) {
                withoutParts.count(all, comparison.stableShare(), this::effect);
                boolean ofMany = withoutParts.suffice();
                evidence = ofMany ? evidence : Math.min(evidence, withoutParts.least());
                worse |= ofMany;
            }
        }
        learn(sides);
    }

    /** Returns the shares to compare; null if the figure is not known yet. */
    abstract @Nullable Block block(Sides sides);

    /** Returns a block without the exchanges of one part of the groups. @param sides the counts of the block */
    abstract Block without(int part, Block block, Sides sides);

    /** Prepares the next block. @param sides the counts of this one */
    void learn(Sides sides) {}

    /** Returns the design effect of the figure. */
    abstract double effect(Sides all);

    /** Returns which part of the metric is compared, such as {@code 5xx}; empty if there is only one. */
    abstract String part();

    final Verdict verdict() {
        if (worse) {
            return Verdict.ABORT;
        }
        return comparison.harmless() >= harmlessAt ? Verdict.PROMOTE : Verdict.HOLD;
    }

    /** @param route the route that is compared; null = all */
    final Finding finding(@Nullable String route) {
        return new Finding(
                metric,
                part(),
                route,
                verdict(),
                comparison.candidate(),
                comparison.stable(),
                evidence,
                worseAt,
                comparison.harmless(),
                harmlessAt);
    }
}
