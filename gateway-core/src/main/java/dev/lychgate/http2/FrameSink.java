package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;

/**
 * Receives complete frames in order, on the connection's event loop. If a method throws an {@link Http2Fault} of a
 * stream, this stream ends, and reading continues after the frame. An {@link Http2Fault} of the connection ends all
 * reading.
 */
interface FrameSink {
    /**
     * Delivers the content of a DATA frame.
     *
     * @param data without padding; the sink owns it
     * @param flowControlled number of bytes that count against the windows, including padding
     */
    void onData(int stream, ByteBuf data, int flowControlled, boolean end) throws Http2Fault;

    /**
     * Delivers a complete header block.
     *
     * @param fields valid until this method returns
     */
    void onHeaders(int stream, HeaderFields fields, boolean end) throws Http2Fault;

    /**
     * Reports that the peer has reset a stream.
     *
     * @param code the error code as received, which may be unknown
     */
    void onReset(int stream, long code) throws Http2Fault;

    void onSetting(int id, long value) throws Http2Fault;

    void onSettingsEnd() throws Http2Fault;

    void onSettingsAck() throws Http2Fault;

    void onPing(long data, boolean ack) throws Http2Fault;

    void onGoAway(int lastStream, Http2Error error) throws Http2Fault;

    /** Delivers a WINDOW_UPDATE with an increment of at least 1. {@code stream} is 0 for the connection. */
    void onWindowUpdate(int stream, int increment) throws Http2Fault;

    /** Reports an ignored frame: PRIORITY, or a frame of an unknown type. */
    void onIgnored() throws Http2Fault;

    /** Reports a stream error in a frame. The frame is not delivered. */
    void onStreamFault(Http2Fault fault) throws Http2Fault;
}
