package dev.lychgate.resilience;

/** The result of a call-out of a filter. */
public enum CallEnd {
    /** With a complete response, regardless of its status. */
    RESPONSE,
    /** Without a complete response. */
    FAILURE,
    /** By cancellation, because the filter had decided or was cancelled, or because the client had left. */
    CANCELLED
}
