package dev.lychgate.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** The destination of a body: an origin for that of a request, the client for that of a response. */
public interface BodySink {
    /** Writes a chunk, which the sink owns from here on. */
    void sendBody(ByteBuf chunk);

    /** Writes the end of the body. */
    void sendEnd(HttpHeaders trailers);

    /** Returns whether more may be written without queueing beyond the watermark. */
    boolean isWritable();
}
