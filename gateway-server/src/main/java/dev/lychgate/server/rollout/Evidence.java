package dev.lychgate.server.rollout;

import java.util.Arrays;

/**
 * The evidence against a hypothesis about two shares, c of the candidate and s of the stable generation. The hypothesis
 * limits the difference c - s: either to at most {@code bound}, or to at least {@code bound}. Not thread-safe.
 *
 * <p>The evidence may be read after any number of blocks. If the hypothesis is true in each block, the probability that
 * the evidence ever reaches ln(1/α) is at most α.
 *
 * <p>Each block multiplies a stake by the ratio of two likelihoods of its outcomes:
 *
 * <ul>
 *   <li>The numerator is the likelihood under an alternative, a pair of shares that contradicts the hypothesis.
 *   <li>The denominator is the likelihood under the closest pair of shares that satisfies the hypothesis. The distance
 *       is the sum of the Kullback-Leibler divergences of both generations, weighted by the numbers of their exchanges
 *       in the block.
 * </ul>
 *
 * <p>If the hypothesis is true, the expectation of the ratio is at most 1. This bound applies to each block alone, so
 * the shares, the mix of traffic and the division of the traffic may change over time. The alternative is chosen from
 * earlier blocks. A poor choice reduces the power of the test, but not its validity.
 *
 * <p>Half of the initial stake of 1 is used in the first block. The other half is added in ever smaller parts.
 * Therefore, a change after hours is detected even if the earlier stakes have been lost. Several alternatives share
 * each stake.
 *
 * @see <a href="https://arxiv.org/abs/2106.02693">Turner, Ly, Grünwald: Generic E-variables for exact sequential
 *     k-sample tests</a>
 * @see <a href="https://arxiv.org/abs/2203.09785">Turner, Grünwald: Anytime-valid confidence intervals for contingency
 *     tables</a>
 */
final class Evidence {
    /**
     * The limit of the candidate's share in an alternative. It is a fraction of the interval from the stable
     * generation's share in that alternative to 1.
     */
    private static final double ALMOST_ALL = 0.95;

    /**
     * The relative precision of {@link #closest}. It applies to the stable generation's share, and to 1 minus the
     * candidate's share.
     */
    private static final double PRECISION = 1e-13;

    private final double bound;
    /**
     * For each alternative, the candidate's share minus the stable generation's share. All differences are on the same
     * side of the bound.
     */
    private final double[] differences;
    /** For each difference, the logarithm of the fraction of a stake that the difference gets. */
    private final double[] parts;
    /** For each difference, the logarithm of its present stake. */
    private final double[] stakes;
    /** The largest logarithm that a stake may have. A larger stake is reduced to this limit. */
    private final double most;

    private long blocks;
    /** The fraction of the initial stake that was not used in a block yet. */
    private double reserve = 1;

    /**
     * @param bound the difference that separates the hypothesis from the alternatives
     * @param differences for each alternative, the difference between the candidate's share and the stable
     *     generation's share; the most important difference is the first
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
     * @param stable the stable generation's share, which is estimated from earlier blocks; more than 0 and less
     *     than 1
     * @param effect the divisor of the logarithm of the likelihood ratio; at least 1. The expectation of the ratio
     *     stays at most 1 if the effect does not depend on the outcomes of the block
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
            // There is no such alternative, because the share of the stable generation is too close to 0 or 1.
            return 0;
        }
        double closest = closest(block, stable, candidate);
        return ratio(block.candidate(), block.candidateWith(), candidate, closest + bound)
                + ratio(block.stable(), block.stableWith(), stable, closest);
    }

    private static double ratio(long exchanges, long with, double alternative, double hypothesis) {
        double hits = with == 0 ? 0 : with * (Math.log(alternative) - Math.log(hypothesis));
        // Each rounding error of 1 - x is 1e-16, so the sum of these errors is far below 1 even for billions of
        // exchanges.
        double misses =
                exchanges == with ? 0 : (exchanges - with) * (Math.log(1 - alternative) - Math.log(1 - hypothesis));
        return hits + misses;
    }

    /**
     * Finds the pair of shares (s, s + bound) that is closest to an alternative, with the distance of {@link Evidence}.
     *
     * <p>The minimum of the distance is at the root of a cubic polynomial that has the sign of the derivative. Newton's
     * method finds the root. A step that leaves the bracket is replaced by bisection.
     *
     * @param stable the stable generation's share in the alternative
     * @param candidate the candidate's share in the alternative
     * @return s
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
