package dev.lychgate.filter;

/** What a failure of a filter causes: an exception, a violated contract, a timeout, or its ejection. */
public enum FailurePolicy {
    /** The exchange fails with 500. Filters that protect a service need this policy. */
    FAIL_CLOSED,
    /** The exchange continues without the filter. The failure is counted. */
    FAIL_OPEN
}
