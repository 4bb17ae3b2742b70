package dev.lychgate.server.rollout;

/**
 * A sequential test of two shares: the share c of the candidate and the share s of the stable generation. The tolerance
 * is d. The test collects {@link Evidence} against two hypotheses:
 *
 * <ul>
 *   <li>c ≤ s + d/2: evidence against this hypothesis shows that the candidate is {@link #worse}
 *   <li>c ≥ s + d: evidence against this hypothesis shows that the candidate is {@link #harmless}
 * </ul>
 *
 * <p>The first blocks serve only to estimate s. Not thread-safe.
 */
final class Comparison {
    /** The test begins after this number of exchanges of the stable generation. */
    static final int LEAST_STABLE = 20;
    /**
     * The share of the stable generation is estimated from about this number of its latest exchanges. If the latest
     * {@link #BLOCKS} blocks contain more exchanges of the stable generation, the share is estimated from these blocks.
     */
    private static final double RECENT = 10_000;

    private static final int BLOCKS = 8;
    /** The factor by which each tested difference of the shares exceeds the previous tested difference. */
    private static final double NEXT = 3;
    /**
     * The upper limit of the evidence that the candidate is harmless. Without this limit, it would take long until harm
     * that begins later outweighs the evidence.
     */
    private static final double MOST_HARMLESS = 12;

    private final Evidence worse;
    private final Evidence harmless;
    private double recent;
    private double recentWith;
    private Share candidate = Share.NONE;
    private Share stable = Share.NONE;

    /** @param tolerance the tolerated difference d between the two shares; more than 0 and less than 1 */
    Comparison(double tolerance) {
        worse = ofHarm(tolerance);
        harmless = new Evidence(tolerance, new double[] {0, tolerance / 2}, MOST_HARMLESS);
    }

    /**
     * Returns the tested differences between the two shares: the tolerance, then three times the previous difference,
     * as long as the difference is less than 1. There are at most eight.
     */
    private static double[] regressions(double tolerance) {
        double[] all = new double[8];
        int count = 0;
        for (double each = tolerance; each < 1 && count < all.length; each *= NEXT) {
            all[count++] = each;
        }
        return java.util.Arrays.copyOf(all, count);
    }

    /**
     * Adds a block.
     *
     * @param effect the {@link DesignEffect}, which reduces the evidence if only few clients fail repeatedly
     */
    void add(Block block, double effect) {
        if (recent >= LEAST_STABLE) {
            double share = stableShare();
            worse.add(block, share, effect);
            harmless.add(block, share, 1);
            candidate = candidate.plus(block.candidate(), block.candidateWith());
            stable = stable.plus(block.stable(), block.stableWith());
        }
        remember(block);
    }

    /**
     * Adds a block to the estimate of the stable generation's share. Older blocks have less weight in this estimate
     * than newer blocks.
     */
    private void remember(Block block) {
        recent += block.stable();
        recentWith += block.stableWith();
        double most = Math.max(RECENT, BLOCKS * (double) block.stable());
        if (recent > most) {
            recentWith *= most / recent;
            recent = most;
        }
    }

    /**
     * Creates an object for evidence that the candidate's share exceeds the stable generation's share by more than half
     * of a tolerance.
     */
    static Evidence ofHarm(double tolerance) {
        return new Evidence(tolerance / 2, regressions(tolerance), Double.MAX_VALUE);
    }

    /** Returns the estimate of the stable generation's share, more than 0 and less than 1. */
    double stableShare() {
        return (recentWith + 0.5) / (recent + 1);
    }

    /**
     * Returns the evidence, as a natural logarithm, that the candidate's share exceeds the stable generation's share by
     * more than half of the tolerance.
     */
    double worse() {
        return worse.log();
    }

    /**
     * Returns the evidence, as a natural logarithm, that the candidate's share exceeds the stable generation's share by
     * less than the tolerance.
     */
    double harmless() {
        return harmless.log();
    }

    /**
     * Returns the number of the candidate's compared exchanges, and the share of these exchanges that have the compared
     * property.
     */
    Share candidate() {
        return candidate;
    }

    /**
     * Returns the number of the stable generation's compared exchanges, and the share of these exchanges that have the
     * compared property.
     */
    Share stable() {
        return stable;
    }
}
