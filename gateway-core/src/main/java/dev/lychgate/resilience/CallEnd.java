package dev.lychgate.resilience;

/** The result of a call-out of a filter. */
public enum CallEnd {
    /** The call-out received a complete response, with any status. */
    RESPONSE,
    /** The call-out failed before its response was complete. */
    FAILURE,
    /**
     * The call-out was cancelled, because the filter had returned its decision, the filter was cancelled, or the client
     * had disconnected.
     */
    CANCELLED
}
