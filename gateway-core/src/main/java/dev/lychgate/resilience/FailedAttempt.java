package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that failed or brought an unwanted response, and the facts about its request. Created only then.
 *
 * @param error the failure; null if there is a response
 * @param status of that response; 0 if there is none
 * @param method of the request
 * @param attempts made so far, including this one; fresh resends do not count
 * @param resent whether one of them was {@link RetryDecision#RESEND_FRESH}
 * @param reused whether its connection had carried requests before
 * @param bodyWhole whether the body can be replayed: nothing was forwarded, or all of that is kept
 * @param committed whether a response head was sent to the client
 * @param retryAfter delay of the response's {@code Retry-After}, in nanoseconds; 0 if absent
 * @param remaining time until the exchange's deadline, in nanoseconds; {@link Long#MAX_VALUE} if it has none
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
