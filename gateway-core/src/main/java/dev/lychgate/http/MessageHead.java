package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;

/** What the heads of requests and of responses have in common: the fields, the framing of the body, the size. */
abstract sealed class MessageHead permits RequestHead, ResponseHead {
    private final HttpHeaders headers;
    private BodyFraming framing = BodyFraming.NONE;
    private long contentLength;
    private int size;

    MessageHead(HttpHeaders headers) {
        this.headers = headers;
    }

    public final HttpHeaders headers() {
        return headers;
    }

    /** How the body is framed; never {@link BodyFraming#UNTIL_CLOSE} in a request. */
    public final BodyFraming framing() {
        return framing;
    }

    /** Length of the body in bytes where {@link #framing()} is {@link BodyFraming#LENGTH}, else 0. */
    public final long contentLength() {
        return contentLength;
    }

    /** Sets how the body is framed; {@code length} counts only for {@link BodyFraming#LENGTH}. */
    public final void frame(BodyFraming bodyFraming, long length) {
        this.framing = bodyFraming;
        this.contentLength = length;
    }

    /** Size of the head as it was received, start line and fields, in bytes; 0 if it is not known or the gateway made it. */
    public final int size() {
        return size;
    }

    public final void size(int bytes) {
        this.size = bytes;
    }
}
