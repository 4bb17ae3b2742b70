package dev.lychgate.server.rollout;

import dev.lychgate.generation.Split;
import java.util.function.ToLongFunction;

/**
 * The design effect of survey statistics: how many times larger the variance of a difference of two shares is than it would be
 * if exchanges were independent. A client that fails repeatedly is one cause, although it is counted several times. The effect is
 * estimated from random groups of clients, which then differ more within one generation than independent exchanges would. A
 * regression that affects all groups of the candidate equally has the effect 1, however large it is.
 *
 * <p>With independent exchanges, the statistic of Pearson divided by its degrees of freedom is 1 on average, with a standard
 * deviation of 0.37. Anything up to two of them above 1 counts as 1.
 */
final class DesignEffect {
    private static final double INSIGNIFICANT = 1 + 2 * Math.sqrt(2.0 / (Split.GROUPS - 1));

    private DesignEffect() {}

    /**
     * Returns the effect, at least 1.
     *
     * @param sides all exchanges of a step so far
     * @param ofCandidate counts the exchanges of the candidate that have the compared property
     * @param ofStable likewise of the stable generation
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
     * One generation.
     *
     * @param variance of its share if exchanges were independent
     * @param effect how many times larger it is
     * @param groups the groups with exchanges
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
