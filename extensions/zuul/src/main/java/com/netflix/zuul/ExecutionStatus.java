package com.netflix.zuul;

/** The result of a run of a filter. */
public enum ExecutionStatus {
    /** The filter has run. */
    SUCCESS,
    /** The filter does not apply to the request. */
    SKIPPED,
    /** A property disables the filter. */
    DISABLED,
    /** The filter has thrown an exception. */
    FAILED
}
