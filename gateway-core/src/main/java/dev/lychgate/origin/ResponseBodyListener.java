package dev.lychgate.origin;

import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Receives the body of a response, on the connection's event loop. */
public interface ResponseBodyListener {
    /** Delivers a chunk of the body, which the listener owns. */
    void onResponseBody(ByteBuf chunk);

    /** Delivers a spliced chunk of the body, which the listener owns. Called only after {@link OriginStream#splice}. */
    default void onResponseBody(SplicedPiece chunk) {
        chunk.release();
        throw new UnsupportedOperationException(
                "a spliced chunk was delivered to a listener that did not request splicing");
    }

    /** Reports that the response is complete. */
    void onResponseEnd(HttpHeaders trailers);

    /** Reports the end of one read from the origin, after which written data should be flushed. */
    void onOriginReadComplete();
}
