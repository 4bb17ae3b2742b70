package dev.lychgate.server.rollout;

import dev.lychgate.loop.DurationHistogram;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares one percentile of the latency as shares: how many exchanges of the candidate take longer than q plus the tolerance,
 * and how many of the stable generation take longer than q, its latest known percentile. Of two equal generations, the first
 * share is never larger, whatever q is.
 */
final class LatencyTrial extends Trial {
    /** Exchanges of the stable generation for the first percentile, and for each later one. */
    private static final int FIRST = 200;

    private static final int LATER = 4_000;

    private final double percentile;
    private final long tolerance;
    private DurationHistogram window = new DurationHistogram();
    /** The percentile of the last window in nanoseconds; negative before the first one. */
    private long q = -1;

    private String part;

    /**
     * @param percentile 0 to 1
     * @param share the tolerance as a share of the exchanges
     * @param nanos the tolerance in nanoseconds
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

    /** The durations of a group are known only by their power of two, so that the slow exchanges of the block are divided by these. */
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

    /** After the block: q must not depend on the exchanges that it is compared with. */
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
