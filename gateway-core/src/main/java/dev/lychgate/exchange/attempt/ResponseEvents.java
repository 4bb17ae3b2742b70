package dev.lychgate.exchange.attempt;

import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Receives the body of the accepted response. Called on the exchange's event loop. */
public interface ResponseEvents {
    /** A chunk, which the receiver owns. */
    void onResponseBody(ByteBuf chunk);

    /** A spliced chunk, which the receiver owns. Only after {@link Attempt#splice}. */
    void onResponseBody(SplicedPiece chunk);

    /** The response is complete. */
    void onResponseEnd(HttpHeaders trailers);

    /** One read from the origin is complete. */
    void onOriginReadComplete();
}
