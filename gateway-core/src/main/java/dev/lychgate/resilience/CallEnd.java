package dev.lychgate.resilience;

/** How a call-out of a filter ended. */
public enum CallEnd {
    /** With a complete response, regardless of its status. */
    RESPONSE,
    /** Without one. */
    FAILURE,
    /** It was cancelled: the filter decided or was cancelled before, or its client left. */
    CANCELLED
}
