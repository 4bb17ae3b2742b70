package dev.lychgate.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** The destination of a body: the origin for a request body, the client for a response body. */
public interface BodySink {
    /** Writes a chunk and takes ownership of it. */
    void sendBody(ByteBuf chunk);

    void sendEnd(HttpHeaders trailers);

    /** Returns whether the pending bytes are below the high watermark, so that the sender may write more chunks. */
    boolean isWritable();

    /**
     * Returns whether chunks may be written at present. For example, a request body has no destination between two
     * attempts.
     */
    default boolean isOpen() {
        return true;
    }
}
