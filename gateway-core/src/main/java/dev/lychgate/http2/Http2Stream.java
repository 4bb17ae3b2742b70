package dev.lychgate.http2;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * One stream: a request and its response. Maintains the order of events and the windows of both directions; subclasses
 * define the messages. Used on its connection's event loop.
 */
public abstract class Http2Stream implements Holding.Owner, StreamOutput.Sender {
    private final Http2Streams streams;
    private final SendQueue queue;
    private final int id;
    final StreamInput input;
    final StreamOutput output;
    private final MessageLength length = new MessageLength();
    boolean touched;
    private boolean closed;

    // The output calls the stream only when it sends bytes, which happens after construction is complete.
    @SuppressWarnings("this-escape")
    protected Http2Stream(Http2Streams streams, int id) {
        this.streams = streams;
        this.queue = streams.queue;
        this.id = id;
        this.input = new StreamInput(streams.limits.streamWindow(), streams.streamWindow());
        this.output = new StreamOutput(this, id, streams.peerWindow(), streams.allocator);
    }

    public final int id() {
        return id;
    }

    // ---- input

    /** Handles a header block of the peer on this stream, except the first block. */
    protected abstract void onHeaders(HeaderFields fields, boolean end) throws Http2Fault;

    /**
     * Reports that a part of a DATA frame or of trailers has arrived. The data of a frame is delivered when the frame
     * is complete.
     */
    protected abstract void onPart();

    /** Delivers a body chunk. This method owns the chunk. */
    protected abstract void onData(ByteBuf piece);

    /** Reports the end of the peer's message. */
    protected abstract void onEnd(HttpHeaders trailers);

    /**
     * Reports that the stream was aborted: by the peer's reset ({@code byPeer}), by a local error or by the end of the
     * connection.
     */
    protected abstract void onBroken(Http2Error error, boolean byPeer);

    /**
     * Returns whether a reset by the peer with this code ends only the output of the stream. In this case, the input
     * continues.
     */
    protected boolean isStopOnly(Http2Error error) {
        return false;
    }

    final void resetByPeer(Http2Error error) {
        if (isStopOnly(error)) {
            queue.drop(output);
            finishIfDone();
        } else {
            broken(error, ClosedStreams.End.RESET_BY_PEER);
        }
    }

    /** Reports that all events of one read have been delivered. */
    protected abstract void onReadComplete();

    /**
     * Reports that the memory for buffered data is exhausted. The last received chunk of the stream was discarded, so
     * the message is incomplete.
     */
    protected abstract void onTooMuchHeld();

    /** Reports that the last byte has been written. */
    protected abstract void onSent();

    /** Reports that the stream is closed, for any reason. Called once. */
    protected void onClosed() {}

    final void headersFrame(HeaderFields fields, boolean end) throws Http2Fault {
        if (input.isEnded()) {
            throw Http2Fault.ofStream(
                    id, Http2Error.STREAM_CLOSED, "header fields arrived after the end of the stream");
        }
        onHeaders(fields, end);
    }

    /**
     * Handles a DATA frame on this stream.
     *
     * @param flowControlled length with padding, which has already been counted against the connection's window
     */
    final void dataFrame(ByteBuf data, int flowControlled, boolean end) throws Http2Fault {
        int bytes = data.readableBytes();
        try {
            boolean within = input.received(flowControlled);
            if (input.isEnded()) {
                throw Http2Fault.ofStream(id, Http2Error.STREAM_CLOSED, "data arrived after the end of the stream");
            }
            if (!within) {
                throw Http2Fault.ofStream(
                        id, Http2Error.FLOW_CONTROL_ERROR, "the received data exceeds the window of the stream");
            }
            length.add(id, bytes, end);
            onPart();
        } catch (Http2Fault fault) {
            data.release();
            streams.taken(flowControlled);
            throw fault;
        }
        if (end) {
            input.end();
        }
        taken(flowControlled - bytes);
        if (input.isPaused() || input.isHolding() || awaitsEnd()) {
            hold(data, bytes);
        } else {
            hand(data, bytes);
        }
        deliver();
    }

    /** Sets the body length that the head announces; see {@link MessageLength#expect}. */
    protected final void expect(BodyFraming framing, long announced) {
        length.expect(framing, announced);
    }

    /** Returns the number of received body bytes. */
    protected final long received() {
        return length.total();
    }

    /**
     * Returns whether the body has its announced length. The last bytes of such a body are held until the peer ends the
     * stream. If they were forwarded earlier, the message would be complete for the recipient, although later data from
     * the peer could still make the message malformed (RFC 9113, 8.1.1).
     */
    protected final boolean isBodyComplete() {
        return length.isComplete();
    }

    /** Returns whether the body has its announced length, but the peer has not ended the stream. */
    private boolean awaitsEnd() {
        return !input.isEnded() && isBodyComplete();
    }

    /** Records that the message ends with its head; the caller must still call {@link #ended}. */
    protected final void endsWithHead() {
        input.end();
    }

    /**
     * Ends the message with trailers.
     *
     * @throws Http2Fault if the trailers are invalid, or the body is too short
     */
    protected final void endsWith(HeaderFields fields, boolean end) throws Http2Fault {
        HttpHeaders trailers = Trailers.read(id, fields, end);
        length.end(id);
        onPart();
        ended(trailers);
    }

    /** Ends the message with {@code trailers}. */
    protected final void ended(HttpHeaders trailers) {
        input.end(trailers);
        deliver();
    }

    private void hold(ByteBuf piece, int length) {
        if (input.account(streams.memory, this).hold(input.heldBytes() + length, Holding.Kind.BODY)) {
            input.held(streams.allocator).keep(piece);
        } else {
            piece.release();
            taken(length);
            onTooMuchHeld();
        }
    }

    @Override
    public final void onReclaim() {
        if (!closed) {
            onTooMuchHeld();
        }
    }

    private void hand(ByteBuf piece, int length) {
        taken(length);
        onData(piece);
    }

    private void tellEnd() {
        if (!closed && input.reportsEnd()) {
            onEnd(input.trailers());
            finishIfDone();
        }
    }

    /**
     * Increases the windows of the stream and of the connection by {@code bytes}, because this number of bytes was
     * consumed.
     */
    private void taken(int bytes) {
        streams.taken(bytes);
        int increment = input.taken(bytes);
        if (increment > 0 && !input.isEnded() && !closed) {
            queue.windowUpdate(id, increment);
        }
    }

    /**
     * Pauses body delivery until {@link #resume()}. During the pause, the peer can send only as many bytes as the
     * stream's window permits.
     */
    public final void pauseReading() {
        input.pause(true);
    }

    /** Resumes delivery, starting with buffered data. */
    public final void resume() {
        input.pause(false);
        deliver();
    }

    /** Delivers the held bytes, as far as delivery is possible at present, and then the end of the message. */
    private void deliver() {
        while (!input.isPaused() && input.isHolding() && !awaitsEnd()) {
            ByteBuf piece = input.held(streams.allocator).take(Integer.MAX_VALUE);
            input.account(streams.memory, this).hold(input.heldBytes(), Holding.Kind.BODY);
            hand(piece, piece.readableBytes());
        }
        tellEnd();
    }

    public final boolean isPaused() {
        return input.isPaused();
    }

    /** Returns whether the peer has ended its message, even if the end has not been delivered. */
    protected final boolean isReceived() {
        return input.isEnded();
    }

    // ---- output

    /** Clears and returns the connection's list of fields, for a header block of this stream. */
    protected final OutgoingFields fields() {
        return queue.fields();
    }

    /**
     * Writes a header block.
     *
     * @param end whether the block ends the stream
     */
    protected final void send(OutgoingFields block, boolean end) {
        if (closed || output.isDone()) {
            return;
        }
        queue.headers(id, block, end);
        if (end) {
            output.done();
            onOutputEnd();
        }
    }

    /** Writes a body chunk. This method owns the chunk. */
    public final void send(ByteBuf piece) {
        if (closed || !output.isOpen()) {
            piece.release();
        } else {
            queue.add(output, piece);
        }
    }

    /** Ends the body, with optional {@code trailers}. */
    public final void sendEnd(HttpHeaders trailers) {
        if (!closed && output.isOpen()) {
            output.end(trailers);
            queue.line(output);
        }
    }

    /** Resets the stream after the queued data has been sent, so that the peer detects the incomplete body. */
    protected final void sendBroken(Http2Error by) {
        if (!closed && !output.isDone()) {
            output.endBroken(by);
            queue.line(output);
        }
    }

    /**
     * Returns whether the stream's queue is below its watermarks. If the result is false, {@link #onWritable} is called
     * when the queue has fallen below its watermarks.
     */
    public final boolean isWritable() {
        return closed || queue.isWritable(output);
    }

    /** Returns whether the end of the message has been written or queued. */
    public final boolean isEnding() {
        return !output.isOpen();
    }

    /** Returns whether the end of the message has been written. */
    protected final boolean isAnswered() {
        return output.isDone();
    }

    /** Returns whether bytes are queued, and no byte has been written for {@code limit} nanoseconds. */
    protected final boolean isStalled(long now, long limit) {
        return isSending() && output.bytes() > 0 && now - output.movedAt >= limit;
    }

    /** Returns the number of queued bytes. */
    public final long unsent() {
        return output.bytes();
    }

    /** Returns whether data, or the end of the message, is queued. */
    protected final boolean isSending() {
        return !closed && output.isWaiting();
    }

    @Override
    public final void onOutputEnd() {
        if (output.isBroken()) {
            close(ClosedStreams.End.RESET_BY_US);
            return;
        }
        onSent();
        finishIfDone();
    }

    private void finishIfDone() {
        if (!closed && output.isDone() && input.isReported()) {
            close(ClosedStreams.End.FINISHED);
        }
    }

    // ---- abort

    /** Resets the stream without notifying the subclass of a failure. */
    public final void reset(Http2Error error) {
        if (!closed) {
            queue.reset(id, error);
            close(ClosedStreams.End.RESET_BY_US);
        }
    }

    /** Aborts the stream with {@code error} and notifies the subclass. */
    final void broken(Http2Error error, ClosedStreams.End how) {
        if (!closed) {
            close(how);
            onBroken(error, how == ClosedStreams.End.RESET_BY_PEER);
        }
    }

    private void close(ClosedStreams.End how) {
        closed = true;
        queue.drop(output);
        streams.taken(input.drop());
        streams.remove(this, how);
        onClosed();
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }
}
