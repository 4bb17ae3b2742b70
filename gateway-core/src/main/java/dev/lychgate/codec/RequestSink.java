package dev.lychgate.codec;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Receives the decoded requests of a client on the connection's event loop: for each request a head, body chunks and
 * the end. A malformed request may be reported at any point and is the last event.
 */
public interface RequestSink {
    /**
     * Delivers a complete and valid head with its framing and without hop-by-hop headers. {@link #onRequestEnd}
     * follows, even if the request has no body.
     *
     * @param persistent whether the client permits reuse of the connection
     */
    void onRequestHead(RequestHead head, boolean persistent);

    /** Delivers a body chunk. The sink owns the chunk. */
    void onRequestBody(ByteBuf chunk);

    /**
     * Reports the end of the request.
     *
     * @param trailers the trailer section, empty if there was none
     */
    void onRequestEnd(HttpHeaders trailers);

    void onRequestMalformed(GatewayError error);
}
