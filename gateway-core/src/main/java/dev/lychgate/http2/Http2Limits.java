package dev.lychgate.http2;

import dev.lychgate.codec.DecoderLimits;

/**
 * What one connection may cost.
 *
 * @param headers how large a header section may be, where each field counts as 32 bytes more, and how long a path with its
 *     query; a block that is larger than that even compressed ends the connection
 * @param streams most streams at once that the peer may open; 0 for one who must not open any
 * @param streamWindow how much of a body the peer may send ahead on one stream, in bytes
 * @param connectionWindow the same for all streams together: the most that a connection makes us keep; 0 =
 *     each stream has its own alone
 * @param resets how many streams may end by a reset, the peer's or one that he has brought about, at once and then per 30
 *     s; 0 = no limit
 */
public record Http2Limits(DecoderLimits headers, int streams, int streamWindow, int connectionWindow, int resets) {}
