package dev.lychgate.error;

/**
 * States whether the same request may be sent again after a failure. If it may be sent again, the retry policy of the
 * route decides whether this happens.
 */
public enum Retry {
    /**
     * The request must not be sent again, because the origin may have processed it, or because the failure would recur.
     */
    NEVER,
    /** The origin has certainly not processed the request: any method may be sent again. */
    UNPROCESSED,
    /**
     * The connection closed before the first response byte. If the connection was pooled, the origin may have closed it
     * before the gateway wrote the request. An idempotent request may then be sent once more, on a fresh connection.
     */
    IF_REUSED
}
