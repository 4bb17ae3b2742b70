package dev.lychgate.cache;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * The header fields with the conditions of a request (RFC 9110, 13). The cache evaluates the conditions of the client,
 * and sets other conditions for the origin.
 */
final class RequestConditions {
    private RequestConditions() {}

    /**
     * Returns whether the request contains conditions or a range, so that its response may be a 304 or a part of the
     * body.
     */
    static boolean areIn(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.RANGE)
                || headers.contains(HttpHeaderNames.IF_NONE_MATCH)
                || headers.contains(HttpHeaderNames.IF_MODIFIED_SINCE);
    }

    static void remove(HttpHeaders headers) {
        headers.remove(HttpHeaderNames.RANGE);
        headers.remove(HttpHeaderNames.IF_RANGE);
        headers.remove(HttpHeaderNames.IF_NONE_MATCH);
        headers.remove(HttpHeaderNames.IF_MODIFIED_SINCE);
    }

    /** Replaces the conditions of the client with conditions that validate a stored response. */
    static void validate(HttpHeaders headers, StoredResponse stored) {
        remove(headers);
        String tag = stored.entityTag();
        if (tag != null) {
            headers.set(HttpHeaderNames.IF_NONE_MATCH, tag);
        }
        String modified = stored.lastModified();
        if (modified != null) {
            headers.set(HttpHeaderNames.IF_MODIFIED_SINCE, modified);
        }
    }
}
