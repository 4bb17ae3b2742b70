package dev.lychgate.origin;

import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;

/**
 * A connection to an origin, or one stream of a connection, that carries one request and its response. {@link #sendEnd}
 * ends the request or, in an open tunnel, the bytes to the origin. Used on the event loop of the connection.
 */
public interface OriginStream extends BodySink {
    /**
     * Writes a request head; nothing is sent before {@link #flush()}.
     *
     * @param head the head in its final form
     * @param path the path for the origin, without the query
     * @param to receives the response
     * @param silenceLimits response timeouts
     */
    void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits);

    /** Sends the data that has been written to the stream. */
    void flush();

    /** Pauses reading the response, because the receiver is slower than the origin. */
    void pauseReading();

    /** Resumes reading; may deliver response chunks before it returns. */
    void resumeReading();

    /**
     * Permits {@linkplain ResponseListener#onResponseBody(dev.lychgate.splice.SplicedPiece) spliced chunks} for the
     * rest of the response body. Called after the response head was delivered. Has no effect if splicing is impossible.
     */
    default void splice() {}

    /**
     * Returns the time from the start of the connect until the connection was open, in nanoseconds. Includes name
     * resolution.
     */
    long connectNanos();
}
