package dev.lychgate.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Destination of a body: an origin for a request body, the client for a response body. */
public interface BodySink {
    /** Writes a chunk and takes ownership of it. */
    void sendBody(ByteBuf chunk);

    void sendEnd(HttpHeaders trailers);

    /** Returns whether another write stays below the watermark. */
    boolean isWritable();

    /** Returns whether anything may be written. For example, a request body has no destination between two attempts. */
    default boolean isOpen() {
        return true;
    }
}
