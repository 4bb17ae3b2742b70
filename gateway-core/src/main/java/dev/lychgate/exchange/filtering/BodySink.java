package dev.lychgate.exchange.filtering;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Where a body goes that filters have passed: an origin for a request's, the client for a response's. */
public interface BodySink {
    /** Writes a chunk, which the sink owns from here on. */
    void sendBody(ByteBuf chunk);

    /** Writes the end of the body. */
    void sendEnd(HttpHeaders trailers);

    /** Returns whether more may be written without queueing beyond the watermark. */
    boolean isWritable();
}
