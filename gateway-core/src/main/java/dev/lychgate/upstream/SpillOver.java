package dev.lychgate.upstream;

/**
 * Splits traffic between groups of endpoints in order of preference.
 *
 * <p>While at least {@code spillBelow} of a group's weight is usable, the group takes all traffic. Below that, it takes
 * proportionally less, and the remaining traffic goes to the next group, and so on. If all groups together can't take
 * all traffic, each gets proportionally more. A group of which less than {@code panicBelow} is usable is then in panic:
 * all its endpoints get traffic. The reason is that checks that report nearly all endpoints as dead are probably wrong.
 * Even if they are right, the few remaining endpoints would be overloaded without panic.
 *
 * @see <a href="https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/priority">Envoy,
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
     * @param spillBelow above 0, up to 1
     * @param panicBelow 0 to 1; 0 for no panic
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

    /** Puts all groups in panic, because without usable endpoints no group is known to be better than another. */
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

    /** Returns the share of a group; the sum is 1, or 0 if no endpoint is usable and no group is in panic. */
    double share(int group) {
        return shares[group];
    }

    /** Returns whether a group's share goes to all its endpoints, regardless of their health. */
    boolean isPanic(int group) {
        return panics[group];
    }
}
