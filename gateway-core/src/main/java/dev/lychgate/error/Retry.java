package dev.lychgate.error;

/** What a failure says about sending the same request again; whether it is sent again is somebody else's decision. */
public enum Retry {
    /** The origin may have processed the request, or the fault would only repeat. */
    NEVER,
    /** The origin surely saw nothing of the request: any method may be sent again. */
    UNPROCESSED,
    /**
     * A connection died before one byte of an answer. If it came from the pool it may have been dead before we wrote:
     * an idempotent request may go out once more, on a fresh connection.
     */
    IF_REUSED
}
