package dev.lychgate.origin;

import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;

/**
 * The way of one request to an origin, and of its response back: a connection of its own, or one of several streams of one. The
 * end of the body is that of the request or, of an open tunnel, that of the bytes to the origin. Used on its event loop.
 */
public interface OriginStream extends BodySink {
    /**
     * Writes a request head; nothing is sent before {@link #flush()}.
     *
     * @param head the head, already as the origin shall see it
     * @param path what the origin is asked for, without the query
     * @param to hears of the answer
     * @param silenceLimits how long the origin may be silent
     */
    void send(RequestHead head, String path, ResponseListener to, SilenceLimits silenceLimits);

    /** Sends what has been written. */
    void flush();

    /** Stops reading the answer: whoever reads it from us is slower. */
    void pauseReading();

    /** Goes on reading; pieces of the answer may be told before this returns. */
    void resumeReading();

    /**
     * The rest of the answer's body, whose head has just been told, may come as {@linkplain
     * ResponseListener#onResponseBody(dev.lychgate.splice.SplicedPiece) pieces in pipes}, as far as that is possible.
     */
    default void splice() {}

    /** How long its connection took to open, name resolution included, in nanoseconds. */
    long connectNanos();
}
