package dev.lychgate.server.rollout;

import java.util.Arrays;

/**
 * The evidence against a hypothesis about two shares, c of the candidate and s of the stable generation: that c - s is at most
 * {@code bound}, or at least {@code bound}. It may be read after any number of blocks: as long as the hypothesis holds in each
 * block, the probability that the evidence ever reaches ln(1/α) is at most α.
 *
 * <p>Each block multiplies a stake by the likelihood of its outcomes under an alternative (s*, c*), divided by that under the
 * member (s°, c°) of the hypothesis that is closest to the alternative, weighted by the exchanges of the block. The expectation
 * of that factor is at most 1 for all members of the hypothesis. This holds for each block alone: neither the shares nor the
 * mix of traffic nor the division of the traffic need be constant over time. The alternative is chosen before the block is
 * counted, from earlier ones; a poor choice costs power, not validity.
 *
 * <p>Half of the initial stake of 1 enters the first block. The rest follows in ever smaller parts, so that a change after hours is
 * detected in spite of all evidence lost before. Several alternatives share each stake.
 *
 * <p>Not thread-safe.
 *
 * @see <a href="https://arxiv.org/abs/2106.02693">Turner, Ly, Grünwald: Generic E-variables for exact sequential k-sample
 *     tests</a>
 * @see <a href="https://arxiv.org/abs/2203.09785">Turner, Grünwald: Anytime-valid confidence intervals for contingency
 *     tables</a>
 */
final class Evidence {
    /** The part of the room above s* that the largest alternative takes. */
    private static final double ALMOST_ALL = 0.95;

    /** The relative precision of s° and of 1 - c°. */
    private static final double PRECISION = 1e-13;

    private final double bound;
    /** Differences c* - s*. All exceed the bound, or all are below it. */
    private final double[] differences;
    /** Logarithms of the parts of a stake, one per difference. */
    private final double[] parts;
    /** Logarithms of the present stakes, one per difference. */
    private final double[] stakes;
    /** The largest logarithm that a stake may have: what exceeds it is given up. */
    private final double most;

    private long blocks;
    /** The part of the initial stake that has not entered a block yet. */
    private double reserve = 1;

    /**
     * @param bound the difference that separates the hypothesis from the alternatives
     * @param differences c - s of the alternatives, the most important one first
     * @param most the largest logarithm of evidence that is kept
     */
    Evidence(double bound, double[] differences, double most) {
        this.bound = bound;
        this.differences = differences.clone();
        this.most = most;
        this.parts = new double[differences.length];
        this.stakes = new double[differences.length];
        Arrays.fill(parts, Math.log(0.5 / Math.max(1, differences.length - 1)));
        parts[0] = differences.length == 1 ? 0 : Math.log(0.5);
        Arrays.fill(stakes, Double.NEGATIVE_INFINITY);
    }

    /**
     * Adds a block.
     *
     * @param stable the share s*, estimated from earlier blocks; more than 0 and less than 1
     * @param effect at least 1; divides the logarithm of the likelihood ratio. The expectation remains at most 1 if the effect does
     *     not depend on the outcomes of the block
     */
    void add(Block block, double stable, double effect) {
        blocks++;
        double left = 0.5 / (1 + Math.log((double) blocks));
        double entering = Math.log(reserve - left);
        reserve = left;
        for (int i = 0; i < stakes.length; i++) {
            double stake = sum(stakes[i], parts[i] + entering);
            stakes[i] = Math.min(most, stake + factor(block, stable, alternative(stable, differences[i])) / effect);
        }
    }

    /** Returns the logarithm of the evidence; 0 at the beginning. */
    double log() {
        double all = Math.log(reserve);
        for (double stake : stakes) {
            all = sum(all, stake);
        }
        return all;
    }

    private static double alternative(double stable, double difference) {
        return Math.min(stable + difference, stable + (1 - stable) * ALMOST_ALL);
    }

    /** Returns the logarithm of the likelihood ratio of a block. */
    private double factor(Block block, double stable, double candidate) {
        boolean above = differences[0] > bound;
        if (above != candidate - stable > bound) {
            // No such alternative: the share of the stable generation leaves no room for it.
            return 0;
        }
        double closest = closest(block, stable, candidate);
        return ratio(block.candidate(), block.candidateWith(), candidate, closest + bound)
                + ratio(block.stable(), block.stableWith(), stable, closest);
    }

    private static double ratio(long exchanges, long with, double alternative, double hypothesis) {
        double hits = with == 0 ? 0 : with * (Math.log(alternative) - Math.log(hypothesis));
        // The rounding errors of 1 - x, 1e-16 each, stay far below 1 even for billions of exchanges.
        double misses =
                exchanges == with ? 0 : (exchanges - with) * (Math.log(1 - alternative) - Math.log(1 - hypothesis));
        return hits + misses;
    }

    /**
     * Returns s° of the closest member (s°, s° + bound): the minimum of candidate · KL(c*, s + bound) + stable · KL(s*, s). It lies
     * between s* and c* - bound, at the root of a cubic polynomial that has the sign of the derivative; Newton's method, with
     * bisection where it leaves the bracket.
     */
    private double closest(Block block, double stable, double candidate) {
        double low = Math.max(Double.MIN_NORMAL, Math.min(stable, candidate - bound));
        double high = Math.min(Math.nextDown(1 - bound), Math.max(stable, candidate - bound));
        double weight = (double) block.candidate() / (block.candidate() + block.stable());
        double x = Math.min(high, Math.max(low, weight * (candidate - bound) + (1 - weight) * stable));
        for (int i = 0; i < 100; i++) {
            double y = x + bound;
            double value = weight * (y - candidate) * x * (1 - x) + (1 - weight) * (x - stable) * y * (1 - y);
            if (value > 0) {
                high = x;
            } else {
                low = x;
            }
            double slope = weight * (x * (1 - x) + (y - candidate) * (1 - 2 * x))
                    + (1 - weight) * (y * (1 - y) + (x - stable) * (1 - 2 * y));
            double next = x - value / slope;
            next = next > low && next < high ? next : 0.5 * (low + high);
            if (Math.abs(next - x) <= PRECISION * Math.min(x, 1 - y)) {
                return next;
            }
            x = next;
        }
        return x;
    }

    /** Returns ln(e^a + e^b). */
    private static double sum(double a, double b) {
        double larger = Math.max(a, b);
        return larger == Double.NEGATIVE_INFINITY ? larger : larger + Math.log(1 + Math.exp(Math.min(a, b) - larger));
    }
}
