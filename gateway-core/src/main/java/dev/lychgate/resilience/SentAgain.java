package dev.lychgate.resilience;

/** Reasons for sending a request more than once. */
public enum SentAgain {
    /** The pooled connection closed before the first response byte. */
    STALE,
    /** The previous attempt failed. */
    RETRY,
    /** The previous attempt is slow and still in progress. */
    HEDGE
}
