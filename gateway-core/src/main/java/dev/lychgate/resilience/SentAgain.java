package dev.lychgate.resilience;

/** Why a request is sent once more than it came. */
public enum SentAgain {
    /** Its pooled connection had died before it carried a byte of an answer. */
    STALE,
    /** The attempt before it had failed. */
    RETRY,
    /** The attempt beside it is slow. */
    HEDGE
}
