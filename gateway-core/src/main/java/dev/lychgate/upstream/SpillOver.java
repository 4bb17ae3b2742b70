package dev.lychgate.upstream;

/**
 * How traffic is split between groups of endpoints of which the earlier ones are preferred.
 *
 * <p>A group can take all traffic while at least {@code spillBelow} of its weight may be used; below that, as much less as
 * it has less. What it can't take goes to the next group, and so on. If all groups together can't take all, each gets more
 * in proportion, and a group with less than {@code panicBelow} is in panic: checks that find nearly everything dead are
 * more likely to be wrong than right, and if they are right, the few that are left would drown.
 *
 * @see <a href="https://www.envoyproxy.io/docs/envoy/latest/intro/arch_overview/upstream/load_balancing/priority">Envoy,
 *     Priority levels</a>, whose overprovisioning factor is the inverse of {@code spillBelow}
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
     * Splits.
     *
     * @param weights the weight of each group, in the order of preference
     * @param usable how much of that may be used
     * @param spillBelow above 0, up to 1
     * @param panicBelow 0 to 1; 0 = there is no panic
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

    /** Nothing may be used: who knows which group is the better one? */
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

    /** The share of a group; all of them are 1 together, or 0 if nothing may be used and nobody panics. */
    double share(int group) {
        return shares[group];
    }

    /** Whether a group's share goes to all its endpoints, whatever their health. */
    boolean isPanic(int group) {
        return panics[group];
    }
}
