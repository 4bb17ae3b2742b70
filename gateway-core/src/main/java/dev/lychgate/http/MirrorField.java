package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;

/**
 * The header field that marks a request as a copy of another request. Only a proxy may set this field; see {@link
 * ForwardingFields}.
 */
public final class MirrorField {
    private static final AsciiString NAME = AsciiString.cached("x-lychgate-mirror");
    private static final AsciiString COPY = AsciiString.cached("1");

    private MirrorField() {}

    /** Returns whether a request with these header fields is a copy of another request. */
    public static boolean isIn(HttpHeaders request) {
        return request.contains(NAME);
    }

    /** Marks a request with these header fields as a copy of another request. */
    public static void addTo(HttpHeaders request) {
        request.set(NAME, COPY);
    }
}
