package dev.lychgate.upstream;

/**
 * Divides traffic among groups of endpoints, which have an order of preference.
 *
 * <p>While at least the part {@code spillBelow} of a group's weight is usable, the group takes all traffic. If less is
 * usable, the group takes proportionally less traffic, and the rest goes to the following group by the same rule.
 *
 * <p>If all groups together cannot take all traffic, the shares of all groups are raised proportionally. A group with a
 * usable part below {@code panicBelow} is then in panic: all of its endpoints get traffic. Otherwise, the few usable
 * endpoints would be overloaded. Besides, health checks that report nearly all endpoints as unhealthy are probably
 * wrong.
 *
 * @see <a
 *     href="https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/priority">Envoy,
 *     Priority levels</a>; its overprovisioning factor is the inverse of {@code spillBelow}
 */
final class SpillOver {
    private static final double ROUNDING = 1e-9;

    private final double[] shares;
    private final boolean[] panics;

    private SpillOver(int groups) {
        this.shares = new double[groups];
        this.panics = new boolean[groups];
    }

    /**
     * Computes the shares.
     *
     * @param weights the weight of each group, in order of preference
     * @param usable the usable weight of each group
     * @param spillBelow the usable part of a group below which the next group gets traffic, more than 0 and at most 1
     * @param panicBelow the usable part of a group below which the group may be in panic, from 0 to 1; 0 disables panic
     */
    static SpillOver of(double[] weights, double[] usable, double spillBelow, double panicBelow) {
        SpillOver split = new SpillOver(weights.length);
        double taken = 0;
        for (int i = 0; i < weights.length; i++) {
            split.shares[i] = Math.min(1 - taken, fraction(usable[i], weights[i]) / spillBelow);
            taken += split.shares[i];
        }
        if (taken > ROUNDING) {
            split.scale(1 / taken);
            split.panicWhere(weights, usable, taken < 1 - ROUNDING ? panicBelow : 0);
        } else if (panicBelow > 0) {
            split.panicEverywhere(weights);
        }
        return split;
    }

    private void scale(double by) {
        for (int i = 0; i < shares.length; i++) {
            shares[i] *= by;
        }
    }

    private void panicWhere(double[] weights, double[] usable, double below) {
        for (int i = 0; i < shares.length; i++) {
            panics[i] = shares[i] > 0 && fraction(usable[i], weights[i]) < below;
        }
    }

    /** Puts all groups in panic, because no group has a usable endpoint, so that no group is better than another. */
    private void panicEverywhere(double[] weights) {
        double all = 0;
        for (double weight : weights) {
            all += weight;
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] = all == 0 ? 0 : weights[i] / all;
            panics[i] = weights[i] > 0;
        }
    }

    private static double fraction(double part, double whole) {
        return whole == 0 ? 0 : part / whole;
    }

    /**
     * Returns the share of a group. The sum of all shares is 1, or 0 if no endpoint is usable and no group is in panic.
     */
    double share(int group) {
        return shares[group];
    }

    /** Returns whether the share of a group is divided among all of its endpoints, including unusable endpoints. */
    boolean isPanic(int group) {
        return panics[group];
    }
}
