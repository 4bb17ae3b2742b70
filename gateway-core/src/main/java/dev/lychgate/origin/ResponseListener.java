package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Hears of the answer to one request, on the connection's event loop. After {@link #onResponseEnd} or
 * {@link #onOriginFailed} nothing more is told.
 */
public interface ResponseListener {
    /** An interim answer (1xx; never 101, which is a final one here). */
    void onInformational(ResponseHead head);

    /**
     * The head of the final answer. If it {@linkplain ResponseHead#isTunnel is a tunnel}, all that still comes is told as
     * pieces of its body, and the end of the connection as its end.
     */
    void onResponseHead(ResponseHead head);

    /** A piece of the body; the listener owns it. */
    void onResponseBody(ByteBuf piece);

    /** A piece of the body, in a pipe; told only to those who have asked for {@link OriginStream#splice}. The listener owns it. */
    default void onResponseBody(SplicedPiece piece) {
        piece.release();
        throw new UnsupportedOperationException("a piece in a pipe for somebody who has not asked for it");
    }

    /** The answer is whole. */
    void onResponseEnd(HttpHeaders trailers);

    /** All that one read brought has been told: a good moment to flush what was made of it. */
    void onOriginReadComplete();

    /** The connection takes more of the request again. */
    void onOriginWritable();

    /** The answer will not come, or not to its end; the connection is closed. */
    void onOriginFailed(GatewayError error);
}
