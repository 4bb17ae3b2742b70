package dev.lychgate.server.reload;

import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Judgement;
import org.jspecify.annotations.Nullable;

/**
 * Compares the exchanges of a candidate with the exchanges of the stable generation. Callers hold the lock of {@link
 * Rollouts}.
 */
interface CandidateJudge {
    /** A judge that receives no exchanges, and therefore never reaches a verdict. */
    CandidateJudge NONE = new CandidateJudge() {
        @Override
        public void begin(long stable, long candidate, RolloutPlan plan) {}

        @Override
        public void step() {}

        @Override
        public Judgement judgement() {
            return Judgement.NONE;
        }

        @Override
        public @Nullable Figures figures() {
            return null;
        }

        @Override
        public void end() {}
    };

    /**
     * Begins the comparison of two generations.
     *
     * @param stable the number of the stable generation
     * @param candidate the number of the candidate
     */
    void begin(long stable, long candidate, RolloutPlan plan);

    /** Resets all counts, because the share of the candidate has changed. */
    void step();

    /** Returns the current verdict. Does not block. */
    Judgement judgement();

    /** Returns the figures of the current step; null if no comparison is running. */
    @Nullable
    Figures figures();

    /** Ends the comparison. */
    void end();
}
