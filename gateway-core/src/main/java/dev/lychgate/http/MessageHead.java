package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;

/**
 * The common part of request heads and response heads: the fields, the framing of the body and the size of the head.
 */
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

    /** Returns the framing of the body; never {@link BodyFraming#UNTIL_CLOSE} in a request. */
    public final BodyFraming framing() {
        return framing;
    }

    /**
     * Returns the length of the body in bytes if {@link #framing()} is {@link BodyFraming#LENGTH}; returns 0 for every
     * other framing.
     */
    public final long contentLength() {
        return contentLength;
    }

    /** Sets the framing of the body; {@code length} is used only for {@link BodyFraming#LENGTH}. */
    public final void frame(BodyFraming bodyFraming, long length) {
        this.framing = bodyFraming;
        this.contentLength = length;
    }

    /**
     * Returns the received size of the head (start line and fields) in bytes; 0 if the size is unknown or if the
     * gateway created the head.
     */
    public final int size() {
        return size;
    }

    public final void size(int bytes) {
        this.size = bytes;
    }
}
