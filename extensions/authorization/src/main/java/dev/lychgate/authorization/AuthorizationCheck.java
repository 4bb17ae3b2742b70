package dev.lychgate.authorization;

import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;

/**
 * Creates the requests to an authorization service and reads its verdicts. Each implementation supports one protocol.
 * Thread-safe.
 */
interface AuthorizationCheck {
    /** The longest response of a service, in bytes. */
    int LONGEST_RESPONSE = 64 << 10;

    /**
     * Returns a call-out that describes the request of an exchange to the service.
     *
     * @param body the body that the service receives; empty if it receives none
     * @param truncated whether {@code body} is only the beginning of the request body
     * @throws IllegalArgumentException if the request cannot be described
     */
    FilterCall call(FilterExchange exchange, byte[] body, boolean truncated);

    /** Reads the verdict in a complete response. */
    Verdict read(CallResponse response);
}
