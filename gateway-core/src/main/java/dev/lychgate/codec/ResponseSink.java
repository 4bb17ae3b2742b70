package dev.lychgate.codec;

import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Receives the decoded responses of an origin on the connection's event loop: for each response any number of interim
 * heads, a final head, body chunks and the end. A malformed response may be reported at any point.
 */
public interface ResponseSink {
    /**
     * Delivers an interim (1xx) or final head with its framing and without hop-by-hop headers.
     *
     * @param persistent whether the origin permits reuse of the connection after this response
     */
    void onResponseHead(ResponseHead head, boolean persistent);

    /** Delivers a body chunk. The sink owns the chunk. */
    void onResponseBody(ByteBuf chunk);

    /**
     * Reports the end of the final response.
     *
     * @param trailers the trailer section, empty if there was none
     * @param surplus whether further bytes have already arrived, so that the connection must not be reused
     */
    void onResponseEnd(HttpHeaders trailers, boolean surplus);

    /**
     * Reports a malformed response.
     *
     * @param detail the reason, for the log
     */
    void onResponseMalformed(String detail);

    /** Reports bytes that arrived while no response was awaited; they have been discarded. */
    void onUnsolicitedBytes();
}
