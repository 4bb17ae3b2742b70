package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;

/**
 * Applies frames to the connection and its streams, depending on the state of each stream. Also counts the frames that
 * have no effect.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-5.1">RFC 9113, 5.1 Stream States</a>
 */
record IncomingFrames(Http2Connection connection, Http2Streams streams, SendQueue queue, FrameBudget budget)
        implements FrameSink {
    @Override
    public void onHeaders(int id, HeaderFields fields, boolean end) throws Http2Fault {
        Http2Stream stream = streams.get(id);
        if (stream != null) {
            streams.touch(stream);
            stream.headersFrame(fields, end);
            return;
        }
        if (connection.isIdle(id)) {
            connection.open(id, fields, end);
            budget.onStream();
            return;
        }
        switch (streams.closed(id)) {
            case RESET_BY_US -> budget.onIgnored();
            case UNKNOWN -> throw fault("a new stream has a lower number than an earlier stream");
            default ->
                throw Http2Fault.ofConnection(Http2Error.STREAM_CLOSED, "header fields arrived on a closed stream");
        }
    }

    @Override
    public void onData(int id, ByteBuf data, int flowControlled, boolean end) throws Http2Fault {
        boolean inWindow = streams.received(flowControlled);
        Http2Stream stream = inWindow ? streams.get(id) : null;
        boolean empty = !data.isReadable() && !end;
        if (stream == null) {
            data.release();
            if (!inWindow) {
                throw Http2Fault.ofConnection(
                        Http2Error.FLOW_CONTROL_ERROR, "the received data exceeds the window of the connection");
            }
            streams.taken(flowControlled);
            onDataOfNoStream(id);
        } else {
            streams.touch(stream);
            stream.dataFrame(data, flowControlled, end);
        }
        if (empty) {
            budget.onIgnored();
        }
    }

    private void onDataOfNoStream(int id) throws Http2Fault {
        requireNotIdle(id);
        if (streams.closed(id) != ClosedStreams.End.RESET_BY_US) {
            throw Http2Fault.ofStream(id, Http2Error.STREAM_CLOSED, "data arrived on a closed stream");
        }
    }

    @Override
    public void onReset(int id, long code) throws Http2Fault {
        requireNotIdle(id);
        Http2Stream stream = streams.get(id);
        if (stream == null) {
            budget.onIgnored();
            return;
        }
        stream.resetByPeer(Http2Error.of(code));
        budget.onReset();
    }

    @Override
    public void onSetting(int id, long value) throws Http2Fault {
        // Settings are counted individually, because a frame can contain thousands of settings, and a window setting
        // affects all streams.
        budget.onIgnored();
        switch (id) {
            case FrameType.HEADER_TABLE_SIZE -> queue.writer().tableSize(value);
            case FrameType.ENABLE_PUSH -> requireFlag(value);
            case FrameType.MAX_CONCURRENT_STREAMS -> connection.onPeerStreams(value);
            case FrameType.INITIAL_WINDOW_SIZE -> {
                if (value > Integer.MAX_VALUE) {
                    throw Http2Fault.ofConnection(Http2Error.FLOW_CONTROL_ERROR, "a window exceeds 2^31-1 bytes");
                }
                streams.peerWindow((int) value);
            }
            case FrameType.MAX_FRAME_SIZE -> {
                // A valid value is ignored, because the writer never exceeds the frame size that every peer must
                // accept.
                if (value < FrameType.LONGEST || value > 0xffffff) {
                    throw fault("SETTINGS_MAX_FRAME_SIZE is out of range");
                }
            }
            case FrameType.ENABLE_CONNECT_PROTOCOL -> {
                requireFlag(value);
                connection.onConnectProtocol(value == 1);
            }
            default -> {
                // Unknown and irrelevant settings are ignored.
            }
        }
    }

    private static void requireFlag(long value) throws Http2Fault {
        if (value > 1) {
            throw fault("a setting that must be 0 or 1 has another value");
        }
    }

    @Override
    public void onSettingsEnd() throws Http2Fault {
        queue.writer().settingsAck();
        queue.flushSoon();
        budget.onIgnored();
        connection.onSettings();
    }

    @Override
    public void onSettingsAck() throws Http2Fault {
        budget.onIgnored();
        streams.onAcknowledged();
    }

    @Override
    public void onPing(long data, boolean ack) throws Http2Fault {
        budget.onIgnored();
        if (!ack) {
            queue.writer().ping(data, true);
            queue.flushSoon();
        }
    }

    @Override
    public void onGoAway(int lastStream, Http2Error error) throws Http2Fault {
        budget.onIgnored();
        connection.onGoAway(lastStream, error);
    }

    @Override
    public void onWindowUpdate(int id, int increment) throws Http2Fault {
        budget.onIgnored();
        if (id == 0) {
            if (!queue.grow(increment)) {
                throw Http2Fault.ofConnection(Http2Error.FLOW_CONTROL_ERROR, "a window exceeds 2^31-1 bytes");
            }
            return;
        }
        requireNotIdle(id);
        Http2Stream stream = streams.get(id);
        if (stream != null && !queue.grow(stream.output, increment)) {
            throw Http2Fault.ofStream(id, Http2Error.FLOW_CONTROL_ERROR, "a window exceeds 2^31-1 bytes");
        }
    }

    @Override
    public void onIgnored() throws Http2Fault {
        budget.onIgnored();
    }

    @Override
    public void onStreamFault(Http2Fault fault) throws Http2Fault {
        requireNotIdle(fault.stream());
        connection.onFault(fault);
        queue.reset(fault.stream(), fault.error());
        Http2Stream stream = streams.get(fault.stream());
        if (stream != null) {
            stream.broken(fault.error(), ClosedStreams.End.RESET_BY_US);
        } else {
            streams.refused(fault.stream());
        }
        budget.onReset();
    }

    private void requireNotIdle(int id) throws Http2Fault {
        if (connection.isIdle(id)) {
            throw fault("a frame arrived on an idle stream");
        }
    }

    private static Http2Fault fault(String detail) {
        return Http2Fault.ofConnection(Http2Error.PROTOCOL_ERROR, detail);
    }
}
