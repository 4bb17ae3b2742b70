package dev.lychgate.origin;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;

/**
 * Receives the response to one request, on the connection's event loop. No call follows {@link #onResponseEnd} or
 * {@link #onOriginFailed}.
 */
public interface ResponseListener extends ResponseBodyListener {
    /** Delivers an interim response, with a 1xx status other than 101. A 101 counts as a final response. */
    void onInformational(ResponseHead head);

    /**
     * Delivers the head of the final response. If the response {@linkplain ResponseHead#isTunnel opens a tunnel}, all
     * bytes after the head are delivered as chunks of the body. The end of the connection is delivered as the end of
     * the body.
     */
    void onResponseHead(ResponseHead head);

    /** Reports that the connection accepts request data again. */
    void onOriginWritable();

    /** Reports that the response is missing or incomplete; the connection is closed. */
    void onOriginFailed(GatewayError error);
}
