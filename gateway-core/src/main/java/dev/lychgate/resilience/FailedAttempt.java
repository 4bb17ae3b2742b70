package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that did not bring what was hoped for, and what is known of its request. Made only when something failed.
 *
 * @param error how it failed; null if it brought an answer
 * @param status of that answer; 0 if there is none
 * @param method of the request
 * @param attempts how many there have been, this one included; one that was resent does not count
 * @param resent whether one of them was {@link RetryDecision#RESEND_FRESH}
 * @param reused whether its connection had carried requests before
 * @param bodyWhole whether the whole body could be sent again: none has been handed on, or all of that is kept
 * @param committed whether the client has been sent the head of an answer
 * @param retryAfter what the answer's {@code Retry-After} asks for, in nanoseconds; 0 if nothing
 * @param remaining how much of the exchange's time is left, in nanoseconds; {@link Long#MAX_VALUE} if it has no limit
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
