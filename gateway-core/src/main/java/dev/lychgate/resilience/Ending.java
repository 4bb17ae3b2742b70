package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;

/** How an attempt ended, as far as it says something about the health of the origin. */
public enum Ending {
    /** The origin answered, and not that it is broken: a 4xx is the client's fault, and an origin that finds it is alive. */
    SUCCESS,
    /** The origin failed: no connection, a reset, a broken answer, or a status from 500. */
    FAILURE,
    /** The origin failed by letting us wait. */
    TIMEOUT,
    /** It says nothing: the client left, another attempt won, or a limit of ours stood in the way. */
    IGNORED;

    /** What a whole answer says. @param status of the response head */
    public static Ending ofStatus(int status) {
        return status >= 500 ? FAILURE : SUCCESS;
    }

    /** What a failure says. */
    public static Ending of(GatewayError error) {
        if (error.side() != Side.UPSTREAM) {
            return IGNORED;
        }
        return switch (error.kind()) {
            case CONNECT_TIMEOUT, RESPONSE_TIMEOUT, RESPONSE_BODY_TIMEOUT, EXCHANGE_TIMEOUT -> TIMEOUT;
            default -> FAILURE;
        };
    }

    /** Whether the origin failed. */
    public boolean isFailure() {
        return this == FAILURE || this == TIMEOUT;
    }
}
