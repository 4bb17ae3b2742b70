package dev.lychgate.codec;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;

/**
 * Gives a decoder the fields of its trailers. It asks for some at the end of every body, but a chunked one alone may have
 * any (RFC 9112, 7.1.2): the others get none, and cost none.
 */
final class TrailersFactory implements HttpHeadersFactory {
    private static final HttpHeadersFactory FIELDS = DefaultHttpHeadersFactory.trailersFactory();

    private boolean chunked;

    /** To be told before the decoder looks at the next bytes. */
    void expect(boolean ofChunked) {
        chunked = ofChunked;
    }

    @Override
    public HttpHeaders newHeaders() {
        return chunked ? FIELDS.newHeaders() : EmptyHttpHeaders.INSTANCE;
    }

    @Override
    public HttpHeaders newEmptyHeaders() {
        return chunked ? FIELDS.newEmptyHeaders() : EmptyHttpHeaders.INSTANCE;
    }
}
