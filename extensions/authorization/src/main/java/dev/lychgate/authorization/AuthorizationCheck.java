package dev.lychgate.authorization;

import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;

/**
 * Describes requests to an authorization service in one protocol, and reads the verdicts of the service. Thread-safe.
 */
interface AuthorizationCheck {
    /** The longest response of a service, in bytes. */
    int LONGEST_RESPONSE = 64 << 10;

    /**
     * Returns a call-out that describes the request of an exchange to the service.
     *
     * @param body the body that the service receives; empty if it receives none
     * @param truncated whether the request has a longer body
     * @throws IllegalArgumentException if the request cannot be described
     */
    FilterCall call(FilterExchange exchange, byte[] body, boolean truncated);

    /** Reads the verdict in a complete response. */
    Verdict read(CallResponse response);
}
