package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;

/**
 * Receives the response to one request, on the connection's event loop. Nothing follows {@link #onResponseEnd} or
 * {@link #onOriginFailed}.
 */
public interface ResponseListener extends ResponseBodyListener {
    /** An interim response (1xx; never 101, which is a final one here). */
    void onInformational(ResponseHead head);

    /**
     * The head of the final response. If it {@linkplain ResponseHead#isTunnel is a tunnel}, all further bytes are reported as
     * chunks of its body, and the end of the connection as its end.
     */
    void onResponseHead(ResponseHead head);

    /** The connection accepts more of the request again. */
    void onOriginWritable();

    /** The response will not arrive or not be completed; the connection is closed. */
    void onOriginFailed(GatewayError error);
}
