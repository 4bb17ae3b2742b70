package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;

/** The outcome of an attempt, as evidence of the origin's health. */
public enum Ending {
    /**
     * The origin responded without a server error. A 4xx status counts as a success, because the client is its cause.
     */
    SUCCESS,
    /**
     * The origin failed: no connection was possible, the origin reset the connection, its response was malformed, or
     * its status was 500 or higher.
     */
    FAILURE,
    /** The origin did not respond in time. */
    TIMEOUT,
    /** No evidence: the client disconnected, another attempt won, or a limit of the gateway applied. */
    IGNORED;

    /**
     * Returns the outcome of an attempt with a response.
     *
     * @param status the status in the response head
     */
    public static Ending ofStatus(int status) {
        return status >= 500 ? FAILURE : SUCCESS;
    }

    /** Returns the outcome of an attempt that failed with {@code error}. */
    public static Ending of(GatewayError error) {
        if (error.side() != Side.UPSTREAM) {
            return IGNORED;
        }
        return switch (error.kind()) {
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, RESPONSE_BODY_TIMEOUT, EXCHANGE_TIMEOUT -> TIMEOUT;
            default -> FAILURE;
        };
    }

    /** Returns whether this outcome is evidence that the origin failed. */
    public boolean isFailure() {
        return this == FAILURE || this == TIMEOUT;
    }
}
