package dev.lychgate.error;

/**
 * Whether a failure permits sending the same request again. Retry policies decide whether the request is sent again.
 */
public enum Retry {
    /** Never resent, because the origin may have processed the request, or because the failure would recur. */
    NEVER,
    /** The origin has certainly not processed the request: any method may be sent again. */
    UNPROCESSED,
    /**
     * The connection closed before the first response byte. If it was a pooled connection, the origin may have closed
     * it before the write. An idempotent request may then be sent once more, on a fresh connection.
     */
    IF_REUSED
}
