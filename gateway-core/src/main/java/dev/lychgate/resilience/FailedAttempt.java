package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The facts for the decision about a retry. Either the attempt failed, or its response has a status that the route may
 * retry.
 *
 * @param error the failure; null if there is a response
 * @param status status of the response; 0 if there is none
 * @param method method of the request
 * @param attempts the number of attempts so far, including this attempt; does not include resends on a fresh connection
 * @param resent whether the request was already sent again as {@link RetryDecision#RESEND_FRESH}
 * @param reused whether the connection of the attempt had carried requests before
 * @param bodyWhole whether the request body can be sent again: no byte was forwarded, or all forwarded bytes are kept
 * @param committed whether a response head was sent to the client
 * @param retryAfter the delay in the response's {@code Retry-After}, in nanoseconds; 0 if the field is absent
 * @param remaining the time until the deadline of the exchange, in nanoseconds; {@link Long#MAX_VALUE} if it has no
 *     deadline
 */
public record FailedAttempt(
        @Nullable GatewayError error,
        int status,
        HttpMethod method,
        int attempts,
        boolean resent,
        boolean reused,
        boolean bodyWhole,
        boolean committed,
        long retryAfter,
        long remaining) {}
