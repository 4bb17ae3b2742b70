package dev.lychgate.http2;

import dev.lychgate.codec.DecoderLimits;

/**
 * Limits of one connection.
 *
 * @param headers limits of a header section and of a path with its query. Each field counts as 32 bytes more. A block with a
 *     compressed size above the limit ends the connection
 * @param streams concurrent streams that the peer may open; 0 = none
 * @param streamWindow receive window of one stream, in bytes
 * @param connectionWindow receive window of all streams together, the limit of buffered bytes; 0 = each stream has only its
 *     own window
 * @param resets burst of stream resets, by the peer or caused by it, and their number per 30 s; 0 = unlimited
 */
public record Http2Limits(DecoderLimits headers, int streams, int streamWindow, int connectionWindow, int resets) {}
