package dev.lychgate.listener;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/** What a listener asks of a request beyond its being valid HTTP: a body within the limit, and a path that is safe. */
record RequestAdmission(ListenerConfig config) {
    /** Gives {@code head} the normal form of its path. @return why it is refused; null if it is not */
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
            return GatewayError.downstream(ErrorKind.BAD_PATH, reason == null ? "the path has no normal form" : reason);
        }
        head.path(normal);
        return null;
    }

    /** Whether a body of {@code bytes} is longer than it may be. */
    boolean isTooLong(long bytes) {
        long limit = config.limits().body().bytes();
        return limit > 0 && bytes > limit;
    }

    GatewayError bodyTooLarge() {
        return GatewayError.downstream(
                ErrorKind.BODY_TOO_LARGE,
                "the request body is longer than " + config.limits().body());
    }
}
