package dev.lychgate.server.rollout;

/** The result of comparing a candidate with the stable generation. */
public enum Verdict {
    /** The candidate is within every tolerance: the next step may begin. */
    PROMOTE,
    /** The exchanges so far prove neither. */
    HOLD,
    /** The candidate exceeds a tolerance: the rollout has to end. */
    ABORT
}
