package dev.lychgate.server.rollout;

import dev.lychgate.generation.Split;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * The evidence that a candidate is worse without the clients of one part of the groups, for each part. An abort needs some of each, so
 * that no single client causes one: all requests of an address are in one part. It is computed when all exchanges together suffice for
 * an abort, because it costs several times more. Not thread-safe.
 */
final class WithoutParts {
    /**
     * The evidence that the other clients must show by themselves. Less than an abort needs, because the bound for all exchanges already
     * limits false aborts.
     */
    private static final double ENOUGH = -Math.log(0.01);

    /** Leaves one part out of a block. */
    interface Omission {
        /** @param sides the counts of the block */
        Block without(int part, Block block, Sides sides);
    }

    private final Omission omission;
    private final Evidence[] evidence = new Evidence[Split.PARTS];
    /** Exchanges of the candidate with the compared property outside of each part. */
    private final long[] with = new long[Split.PARTS];
    /** The parts with more than half of the exchanges of both generations: without them, nothing would be left to compare. */
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
     * Counts the blocks since the last call as one.
     *
     * @param all the exchanges of the step, these included
     * @param stable the estimate of the share of the stable generation
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

    /** Returns whether the evidence without any single part suffices. */
    boolean suffice() {
        return least() >= ENOUGH;
    }

    /** Returns the least evidence, as a natural logarithm; none without enough exchanges outside of a part. */
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
