package dev.lychgate.server.rollout;

import dev.lychgate.generation.Split;
import java.util.function.ToLongFunction;

/**
 * The design effect of survey statistics: the factor by which dependent exchanges increase the variance of the
 * difference of two shares. Exchanges are dependent if, for example, requests of one client fail repeatedly for a
 * single cause.
 *
 * <p>The effect is estimated from random groups of clients. If exchanges are dependent, the groups of one generation
 * differ more than chance explains. A regression that affects all groups equally does not increase the effect.
 *
 * <p>The estimate is Pearson's statistic divided by its degrees of freedom. For independent exchanges, it is 1 on
 * average, with a standard deviation of 0.37. An estimate that exceeds 1 by at most two standard deviations counts as
 * 1.
 */
final class DesignEffect {
    private static final double INSIGNIFICANT = 1 + 2 * Math.sqrt(2.0 / (Split.GROUPS - 1));

    private DesignEffect() {}

    /**
     * Returns the effect, at least 1.
     *
     * @param sides the counts of all exchanges of the step so far
     * @param ofCandidate counts the exchanges of the candidate that have the compared property
     * @param ofStable counts the exchanges of the stable generation that have the property
     */
    static double of(Sides sides, ToLongFunction<Counts> ofCandidate, ToLongFunction<Counts> ofStable) {
        if (!varies(sides.candidate(), ofCandidate) && !varies(sides.stable(), ofStable)) {
            return 1;
        }
        Side candidate = Side.of(sides.candidate(), ofCandidate);
        Side stable = Side.of(sides.stable(), ofStable);
        double ofOne = candidate.groups < 2 ? stable.effect : candidate.effect;
        double effect =
                (candidate.variance * ofOne + stable.variance * stable.effect) / (candidate.variance + stable.variance);
        return effect > INSIGNIFICANT ? effect : 1;
    }

    private static boolean varies(Counts counts, ToLongFunction<Counts> property) {
        long with = property.applyAsLong(counts);
        return with > 0 && with < counts.exchanges();
    }

    /**
     * The statistics of one generation.
     *
     * @param variance the variance of the share if exchanges were independent
     * @param effect the factor by which the actual variance is larger
     * @param groups the number of groups with exchanges
     */
    private record Side(double variance, double effect, int groups) {
        static Side of(Counts counts, ToLongFunction<Counts> property) {
            long[] exchanges = new long[Split.GROUPS];
            long[] with = new long[Split.GROUPS];
            long all = 0;
            long allWith = 0;
            int groups = 0;
            for (int i = 0; i < Split.GROUPS; i++) {
                Counts group = counts.ofGroup(i);
                exchanges[i] = group.exchanges();
                with[i] = property.applyAsLong(group);
                all += exchanges[i];
                allWith += with[i];
                groups += exchanges[i] > 0 ? 1 : 0;
            }
            double smoothed = (allWith + 0.5) / (all + 1);
            double variance = smoothed * (1 - smoothed) / (all + 1);
            boolean varies = allWith > 0 && allWith < all && groups > 1;
            return new Side(
                    variance, varies ? pearson(exchanges, with, (double) allWith / all) / (groups - 1) : 1, groups);
        }

        private static double pearson(long[] exchanges, long[] with, double share) {
            double statistic = 0;
            for (int i = 0; i < Split.GROUPS; i++) {
                if (exchanges[i] > 0) {
                    double expected = exchanges[i] * share;
                    statistic += (with[i] - expected) * (with[i] - expected) / (expected * (1 - share));
                }
            }
            return statistic;
        }
    }
}
