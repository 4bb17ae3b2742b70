package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;

/** Outcome of an attempt as evidence of the origin's health. */
public enum Ending {
    /**
     * The origin responded without a server error. A 4xx also counts as a success: its cause is the client, and the
     * origin works.
     */
    SUCCESS,
    /** The origin failed: no connection, a reset, a malformed response, or a status from 500. */
    FAILURE,
    /** The origin did not respond in time. */
    TIMEOUT,
    /** No evidence: the client disconnected, another attempt won, or a limit of the gateway applied. */
    IGNORED;

    /**
     * Returns the ending of an attempt with a response.
     *
     * @param status status of the response head
     */
    public static Ending ofStatus(int status) {
        return status >= 500 ? FAILURE : SUCCESS;
    }

    /** Returns the ending of an attempt that failed with {@code error}. */
    public static Ending of(GatewayError error) {
        if (error.side() != Side.UPSTREAM) {
            return IGNORED;
        }
        return switch (error.kind()) {
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, RESPONSE_BODY_TIMEOUT, EXCHANGE_TIMEOUT -> TIMEOUT;
            default -> FAILURE;
        };
    }

    /** Returns whether the origin failed. */
    public boolean isFailure() {
        return this == FAILURE || this == TIMEOUT;
    }
}
