package dev.lychgate.codec;

import org.jspecify.annotations.Nullable;

/**
 * The reins of a decoder of requests. A paused decoder leaves what it has not parsed as bytes: that is how a pipelined
 * request waits for its turn, and how a body waits for its origin connection.
 */
public interface RequestSource {
    /** Parses nothing more until {@link #resume()}; what arrives meanwhile stays buffered. */
    void pause();

    /**
     * Goes on, with what is buffered first. May call the sink before it returns.
     *
     * @return whether it has just parsed by itself: outside a read of the channel, so that no end of a read will follow
     */
    boolean resume();

    /** The key with which the request that was handed on last asks for a WebSocket; means nothing if it does not. */
    @Nullable
    String webSocketKey();

    /** The rest of the connection is no HTTP: it is handed on, as pieces of a body without end, as it comes. */
    void becomeTunnel();

    /** Bytes that have been received but not yet parsed into something handed on. */
    int buffered();

    /** The size of the buffer in which {@link #buffered} bytes lie, in bytes; 0 if there are none. */
    int bufferSize();

    /** Releases what is buffered, and all that still comes: it is not parsed any more. Not within a call of the sink. */
    void discard();
}
