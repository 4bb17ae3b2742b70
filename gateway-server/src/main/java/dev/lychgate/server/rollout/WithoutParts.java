package dev.lychgate.server.rollout;

import dev.lychgate.generation.Split;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * Computes, for each part of the groups, the evidence that a candidate is worse for the clients outside of that part.
 * An abort requires a minimum of evidence for each omitted part. All requests from one address are in the same part, so
 * a single client cannot cause an abort.
 *
 * <p>This computation costs several times as much as the evidence of all exchanges. Therefore, it runs only if the
 * evidence of all exchanges suffices for an abort. Not thread-safe.
 */
final class WithoutParts {
    /**
     * The evidence that is required from the clients outside of each part. The evidence that is required from all
     * exchanges is greater, because that threshold alone limits false aborts.
     */
    private static final double ENOUGH = -Math.log(0.01);

    /** Omits one part of the groups from a block. */
    interface Omission {
        /** @param sides the counts from which the block was computed */
        Block without(int part, Block block, Sides sides);
    }

    private final Omission omission;
    private final Evidence[] evidence = new Evidence[Split.PARTS];
    /**
     * For each part, the number of the candidate's exchanges that have the compared property and are outside of the
     * part.
     */
    private final long[] with = new long[Split.PARTS];
    /**
     * For each part, whether it has more than half of the exchanges of each generation. Such a part is never omitted,
     * because too few exchanges would remain.
     */
    private final boolean[] dominant = new boolean[Split.PARTS];

    private Block waiting = Block.NONE;
    private Sides counted = new Sides();

    WithoutParts(double tolerance, Omission omission) {
        this.omission = omission;
        Arrays.setAll(evidence, part -> Comparison.ofHarm(tolerance));
    }

    void add(Block block) {
        waiting = waiting.plus(block);
    }

    /**
     * Evaluates the blocks since the last call as a single block.
     *
     * @param all all exchanges of the step so far, including the exchanges of the blocks
     * @param stable the estimated share of the stable generation
     * @param effect returns the design effect
     */
    void count(Sides all, double stable, ToDoubleFunction<Sides> effect) {
        Sides since = all.since(counted);
        for (int part = 0; part < Split.PARTS; part++) {
            Block rest = omission.without(part, waiting, since);
            with[part] += rest.candidateWith();
            if (rest.candidate() > 0 && rest.stable() > 0) {
                evidence[part].add(rest, stable, effect.applyAsDouble(all.without(part)));
            }
            dominant[part] = all.areMostlyOf(part);
        }
        counted = all;
        waiting = Block.NONE;
    }

    /** Returns whether the evidence suffices regardless of which part is omitted. */
    boolean suffice() {
        return least() >= ENOUGH;
    }

    /**
     * Returns the least evidence that remains after the omission of one part, as a natural logarithm. The result is 0
     * if too few exchanges outside of a part have the property.
     */
    double least() {
        double least = Double.MAX_VALUE;
        for (int part = 0; part < Split.PARTS; part++) {
            if (!dominant[part]) {
                least = Math.min(least, with[part] >= Trial.LEAST ? evidence[part].log() : 0);
            }
        }
        return least;
    }
}
