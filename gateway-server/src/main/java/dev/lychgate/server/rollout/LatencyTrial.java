package dev.lychgate.server.rollout;

import dev.lychgate.loop.DurationHistogram;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares one percentile of the latency by two shares of slow exchanges. The threshold q is the latest known
 * percentile of the stable generation:
 *
 * <ul>
 *   <li>An exchange of the stable generation is slow if it takes longer than q.
 *   <li>An exchange of the candidate is slow if it takes longer than q plus the tolerance.
 * </ul>
 *
 * <p>If both generations are equally fast, the candidate's share is not larger, regardless of q.
 */
final class LatencyTrial extends Trial {
    /** The number of exchanges of the stable generation from which the first percentile is computed. */
    private static final int FIRST = 200;

    private static final int LATER = 4_000;

    private final double percentile;
    private final long tolerance;
    private DurationHistogram window = new DurationHistogram();
    /** The percentile of the last window, in nanoseconds; negative before the end of the first window. */
    private long q = -1;

    private String part;

    /**
     * @param percentile the percentile, from 0 to 1
     * @param share the tolerated difference between the two shares
     * @param nanos the tolerated increase of the latency in nanoseconds
     */
    LatencyTrial(double percentile, double share, long nanos, double falseAborts, double misses) {
        super(Metric.P99, share, falseAborts, misses);
        this.percentile = percentile;
        this.tolerance = nanos;
        this.part = name();
    }

    private String name() {
        return "p" + Math.round(percentile * 100);
    }

    @Override
    @Nullable
    Block block(Sides sides) {
        DurationHistogram candidate = sides.candidate().durations();
        DurationHistogram stable = sides.stable().durations();
        return q < 0 ? null : block(candidate, stable);
    }

    /**
     * Omits a part of the groups. The number of slow exchanges outside of the part is an estimate, because durations of
     * groups are counted only by their power of two.
     */
    @Override
    Block without(int part, Block block, Sides sides) {
        Counts candidate = sides.candidate();
        Counts stable = sides.stable();
        return new Block(
                candidate.without(part).exchanges(),
                rest(block.candidateWith(), candidate, part, q + tolerance),
                stable.without(part).exchanges(),
                rest(block.stableWith(), stable, part, q));
    }

    private static long rest(long slow, Counts counts, int part, long nanos) {
        Counts others = counts.without(part);
        long all = counts.aboutAbove(nanos);
        double share =
                all == 0 ? (double) others.exchanges() / counts.exchanges() : (double) others.aboutAbove(nanos) / all;
        return Math.min(others.exchanges(), Math.round(slow * share));
    }

    private @Nullable Block block(DurationHistogram candidate, DurationHistogram stable) {
        long candidates = candidate.count();
        long stables = stable.count();
        return candidates == 0 || stables == 0
                ? null
                : new Block(candidates, candidate.countAbove(q + tolerance), stables, stable.countAbove(q));
    }

    /**
     * Updates the percentile q after a block was compared, because q must not depend on the exchanges to which it is
     * applied.
     */
    @Override
    void learn(Sides sides) {
        window.add(sides.stable().durations());
        if (window.count() >= (q < 0 ? FIRST : LATER)) {
            q = (long) (window.percentile(percentile) * 1e9);
            window = new DurationHistogram();
            part = String.format(Locale.ROOT, "%s %.1f ms + %.0f ms", name(), q / 1e6, tolerance / 1e6);
        }
    }

    @Override
    double effect(Sides all) {
        return DesignEffect.of(all, counts -> counts.aboutAbove(q + tolerance), counts -> counts.aboutAbove(q));
    }

    @Override
    String part() {
        return part;
    }
}
