package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;

/**
 * Hears of frames, whole and in order, on the connection's event loop. A {@link Http2Fault} of a stream ends that stream,
 * and reading goes on behind the frame; one of the connection ends reading.
 */
interface FrameSink {
    /**
     * @param data without padding; the sink owns it
     * @param flowControlled how many bytes count against the windows, padding included
     */
    void onData(int stream, ByteBuf data, int flowControlled, boolean end) throws Http2Fault;

    /** A whole header block. @param fields valid until this returns */
    void onHeaders(int stream, HeaderFields fields, boolean end) throws Http2Fault;

    /** @param code as sent, known or not */
    void onReset(int stream, long code) throws Http2Fault;

    void onSetting(int id, long value) throws Http2Fault;

    /** All settings of one frame have been told. */
    void onSettingsEnd() throws Http2Fault;

    void onSettingsAck() throws Http2Fault;

    void onPing(long data, boolean ack) throws Http2Fault;

    void onGoAway(int lastStream, Http2Error error) throws Http2Fault;

    /** @param stream 0 for the connection; @param increment 1 or more */
    void onWindowUpdate(int stream, int increment) throws Http2Fault;

    /** A frame that means nothing to us: priorities and what we don't know. */
    void onIgnored() throws Http2Fault;

    /** A stream has broken the rules in a frame that was not told. */
    void onStreamFault(Http2Fault fault) throws Http2Fault;
}
