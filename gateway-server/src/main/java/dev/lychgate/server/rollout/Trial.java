package dev.lychgate.server.rollout;

import org.jspecify.annotations.Nullable;

/**
 * The comparison of one figure of both generations, with the amounts of evidence that lead to a verdict. Not
 * thread-safe.
 */
abstract sealed class Trial permits ShareTrial, LatencyTrial {
    /**
     * The number of exchanges of the candidate that must have the compared property before the candidate is aborted.
     * Fewer failures may have a single cause, such as one client.
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
     * @param tolerance the tolerated difference between the two shares
     * @param falseAborts the probability that this trial aborts a candidate that is not worse
     * @param misses the probability that a candidate at the tolerance passes this trial
     */
    Trial(Metric metric, double tolerance, double falseAborts, double misses) {
        this.metric = metric;
        this.comparison = new Comparison(tolerance);
        this.withoutParts = new WithoutParts(tolerance, this::without);
        this.worseAt = -Math.log(falseAborts);
        this.harmlessAt = -Math.log(misses);
    }

    /**
     * Adds exchanges that ended in the same period.
     *
     * @param sides these exchanges
     * @param all all exchanges of the step so far, including the exchanges in {@code sides}
     */
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

    /** Returns the counts to compare; null if the figure is not known yet. */
    abstract @Nullable Block block(Sides sides);

    /**
     * Returns a block without the exchanges of one part of the groups.
     *
     * @param sides the counts from which the block was computed
     */
    abstract Block without(int part, Block block, Sides sides);

    /**
     * Prepares this trial for the next block.
     *
     * @param sides the counts of the present block
     */
    void learn(Sides sides) {}

    /**
     * Returns the design effect of the figure.
     *
     * @param all all exchanges of the step so far
     */
    abstract double effect(Sides all);

    /** Returns the part of the metric that is compared, such as {@code 5xx}; empty if the metric has only one part. */
    abstract String part();

    final Verdict verdict() {
        if (worse) {
            return Verdict.ABORT;
        }
        return comparison.harmless() >= harmlessAt ? Verdict.PROMOTE : Verdict.HOLD;
    }

    /** @param route the id of the compared route; null for all routes */
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
