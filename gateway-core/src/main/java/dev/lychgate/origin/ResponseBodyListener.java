package dev.lychgate.origin;

import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Receives the body of a response, on the connection's event loop. */
public interface ResponseBodyListener {
    /** A chunk of the body, which the listener owns. */
    void onResponseBody(ByteBuf chunk);

    /** A spliced chunk of the body, which the listener owns. Only after {@link OriginStream#splice}. */
    default void onResponseBody(SplicedPiece chunk) {
        chunk.release();
        throw new UnsupportedOperationException("a spliced chunk for a listener that has not requested it");
    }

    /** The response is complete. */
    void onResponseEnd(HttpHeaders trailers);

    /** One read from the origin is complete: a good moment to flush what it brought. */
    void onOriginReadComplete();
}
