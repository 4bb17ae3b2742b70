package dev.lychgate.exchange.attempt;

import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Observes the request that the attempts of one exchange send, as it is after all filters. Called on the exchange's
 * event loop.
 */
public interface RequestTap {
    /** Called for every attempt, before the framed head is sent. The head must not be changed. */
    void onRequestHead(RequestHead head);

    /** Called before a chunk is written. The chunk remains owned by the caller and must not be changed. */
    void onRequestChunk(ByteBuf chunk);

    /** Called when the whole request has been written. Called again if the request is sent again. */
    void onRequestSent(HttpHeaders trailers);
}
