package dev.lychgate.filter;

/** What a filter that fails costs the exchange: one that throws, breaks its contract, takes too long or was ejected. */
public enum FailurePolicy {
    /** The exchange: it is answered with 500. What is needed for safety must have this one. */
    FAIL_CLOSED,
    /** Nothing: the exchange goes on as if the filter were not there, and the failure is counted. */
    FAIL_OPEN
}
