package dev.lychgate.filter;

/**
 * The effect that a failure of a filter has on the exchange. Failures are exceptions, violated contracts, timeouts, and
 * the ejection of the filter.
 */
public enum FailurePolicy {
    /** The exchange fails with 500. Filters that protect a service need this policy. */
    FAIL_CLOSED,
    /** The exchange continues without the filter. The failure is counted. */
    FAIL_OPEN
}
