package dev.lychgate.error;

/**
 * States whether a request may be sent again after a failure. The retry policy of the route decides whether the gateway
 * uses this permission.
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
     * before the gateway wrote the request. In this case, an idempotent request may be sent once more, on a new
     * connection.
     */
    IF_REUSED
}
