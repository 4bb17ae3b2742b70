package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that failed, or whose response may have to be retried, with the facts about its request. Created only for
 * these attempts.
 *
 * @param error the failure; null if there is a response
 * @param status status of the response; 0 if there is none
 * @param method method of the request
 * @param attempts number of attempts so far, including this one; resends on a fresh connection do not count
 * @param resent whether the request was already sent again as {@link RetryDecision#RESEND_FRESH}
 * @param reused whether the connection of the attempt had carried requests before
 * @param bodyWhole whether the body can be replayed: none of it was forwarded, or all forwarded bytes are kept
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
