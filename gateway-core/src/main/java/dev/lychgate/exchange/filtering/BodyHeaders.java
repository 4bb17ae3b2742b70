package dev.lychgate.exchange.filtering;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/** What a head says of a body that is not the same any more. */
final class BodyHeaders {
    private static final AsciiString[] DIGESTS = {
        AsciiString.cached("content-md5"),
        AsciiString.cached("digest"),
        AsciiString.cached("content-digest"),
        AsciiString.cached("repr-digest")
    };

    private BodyHeaders() {}

    /** The body passes through a transform: its digests are not right any more, its ETag is not that of its bytes. */
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

    /** The body is another one, and not encoded as the former was. */
    static void replaced(HttpHeaders headers) {
        changed(headers);
        headers.remove(HttpHeaderNames.CONTENT_ENCODING);
    }
}
