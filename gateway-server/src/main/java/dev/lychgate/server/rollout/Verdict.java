package dev.lychgate.server.rollout;

/** The result of comparing a candidate with the stable generation. */
public enum Verdict {
    /** The candidate is within every tolerance, so the next step may begin. */
    PROMOTE,
    /** The exchanges so far justify neither the next step nor the end of the rollout. */
    HOLD,
    /** The candidate exceeds a tolerance, so the rollout has to end. */
    ABORT
}
