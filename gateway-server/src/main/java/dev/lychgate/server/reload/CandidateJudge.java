package dev.lychgate.server.reload;

import dev.lychgate.server.rollout.Figures;
import dev.lychgate.server.rollout.Judgement;
import org.jspecify.annotations.Nullable;

/** Compares a candidate with the stable generation by their exchanges. Used with the lock of the {@link Rollouts}. */
interface CandidateJudge {
    /** Never has enough exchanges for a verdict. */
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

    /** Begins the comparison of two generations, by their numbers. */
    void begin(long stable, long candidate, RolloutPlan plan);

    /** The candidate has another share: all counts begin anew. */
    void step();

    /** Returns the present verdict, and does not block. */
    Judgement judgement();

    /** Returns the figures of the step; null without a comparison. */
    @Nullable
    Figures figures();

    /** The comparison has ended. */
    void end();
}
