package dev.lychgate.exchange.filtering;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

final class BodyHeaders {
    private static final AsciiString[] DIGESTS = {
        AsciiString.cached("content-md5"),
        AsciiString.cached("digest"),
        AsciiString.cached("content-digest"),
        AsciiString.cached("repr-digest")
    };

    private BodyHeaders() {}

    /**
     * Adapts the header fields to a body that a transform may change: removes digests and {@code Accept-Ranges}, and
     * weakens the ETag.
     */
    static void changed(HttpHeaders headers) {
        for (AsciiString digest : DIGESTS) {
            headers.remove(digest);
        }
        headers.remove(HttpHeaderNames.ACCEPT_RANGES);
        String tag = headers.get(HttpHeaderNames.ETAG);
        if (tag != null && !tag.startsWith("W/")) {
            headers.set(HttpHeaderNames.ETAG, "W/" + tag);
        }
    }

    /** Adapts the header fields to a replaced body, which has no content coding. */
    static void replaced(HttpHeaders headers) {
        changed(headers);
        headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    }
}
