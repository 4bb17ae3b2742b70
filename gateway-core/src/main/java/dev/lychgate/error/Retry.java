package dev.lychgate.error;

/** Whether a failure permits sending the same request again; policies make the decision. */
public enum Retry {
    /** The origin may have processed the request, or the failure would recur. */
    NEVER,
    /** The origin has certainly not processed the request: any method may be sent again. */
    UNPROCESSED,
    /**
     * The connection closed before the first response byte. A pooled connection may have been closed before the write: an
     * idempotent request may be sent once more on a fresh connection.
     */
    IF_REUSED
}
