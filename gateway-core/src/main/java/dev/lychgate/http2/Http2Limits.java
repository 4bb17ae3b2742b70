package dev.lychgate.http2;

import dev.lychgate.codec.DecoderLimits;

/**
 * Limits of one connection.
 *
 * @param headers limits of a header section, and of a path with its query. Each field counts with its length plus 32
 *     bytes. If the compressed size of a header block exceeds the limit, the connection ends
 * @param streams the maximum number of concurrent streams that the peer may open; 0 for none
 * @param streamWindow receive window of one stream, in bytes
 * @param connectionWindow receive window of all streams together, which limits the buffered bytes; 0 if each stream has
 *     only its own window
 * @param resets the maximum number of stream resets that the peer sends or causes, both in one burst and per 30 s; 0 if
 *     unlimited
 */
public record Http2Limits(DecoderLimits headers, int streams, int streamWindow, int connectionWindow, int resets) {
    /** Returns these limits with another number of streams. */
    public Http2Limits withStreams(int most) {
        return new Http2Limits(headers, most, streamWindow, connectionWindow, resets);
    }
}
