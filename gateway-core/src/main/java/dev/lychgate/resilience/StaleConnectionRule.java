package dev.lychgate.resilience;

import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import io.netty.handler.codec.http.HttpMethod;

/**
 * A pooled connection may have been closed by its origin at the very moment we wrote to it. A request that met such a
 * connection is sent once more, on a fresh one, if that can do no harm: no byte of an answer came, the method is
 * idempotent, and none of the body has been handed on. Always on, and no retry policy: it repairs an accident of ours.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2">RFC 9110, 9.2.2 Idempotent Methods</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3.1">RFC 9112, 9.3.1 Retrying Requests</a>
 */
public final class StaleConnectionRule {
    private StaleConnectionRule() {}

    /**
     * Whether to send once more.
     *
     * @param error how the attempt ended
     * @param reused whether its connection came out of the pool
     * @param attempts how many attempts there have been, that one included
     * @param bodyBegun whether a byte of the body has been handed to the connection
     */
    public static boolean sendsAgain(
            GatewayError error, boolean reused, int attempts, HttpMethod method, boolean bodyBegun) {
        return error.retry() == Retry.IF_REUSED && reused && attempts == 1 && !bodyBegun && isIdempotent(method);
    }

    /** Whether doing it twice is the same as doing it once. */
    public static boolean isIdempotent(HttpMethod method) {
        return IdempotentMethods.contain(method);
    }
}
