package dev.lychgate.listener;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a valid request satisfies the requirements of its listener: the limit of the body length, and a safe
 * path.
 */
record RequestAdmission(ListenerConfig config) {
    /**
     * Normalizes the path of {@code head}.
     *
     * @return the reason for rejecting the path; null if the path is accepted
     */
    @Nullable
    GatewayError check(RequestHead head) {
        if (isTooLong(head.contentLength())) {
            return bodyTooLarge();
        }
        if (head.rawPath().equals("*")) {
            return null;
        }
        String normal = PathNormalizer.normalize(head.rawPath(), config.paths());
        if (normal == null) {
            String reason = PathNormalizer.refusal(head.rawPath(), config.paths());
            return GatewayError.downstream(
                    ErrorKind.BAD_PATH, reason == null ? "the path cannot be normalized" : reason);
        }
        head.path(normal);
        return null;
    }

    /** Returns whether a body of {@code bytes} exceeds the limit. */
    boolean isTooLong(long bytes) {
        long limit = config.limits().body().bytes();
        return limit > 0 && bytes > limit;
    }

    GatewayError bodyTooLarge() {
        return GatewayError.downstream(
                ErrorKind.BODY_TOO_LARGE,
                "the request body is longer than the limit of "
                        + config.limits().body());
    }
}
