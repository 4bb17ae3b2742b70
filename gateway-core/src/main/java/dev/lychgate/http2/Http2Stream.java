package dev.lychgate.http2;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * One stream: a request and its answer. Keeps the order of things and the windows of both directions; what it is all about
 * is known by those who extend it. Lives on its connection's event loop.
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

    // The output keeps the stream, and calls it when bytes are sent: not before it is complete.
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

    // ---- what comes

    /** A header block on this stream that is not its first from this peer. */
    protected abstract void onHeaders(HeaderFields fields, boolean end) throws Http2Fault;

    /** A part of a frame of the body, or the trailers, have come; data is told of when its frame is whole. */
    protected abstract void onPart();

    /** A piece of the body, which is owned here. */
    protected abstract void onData(ByteBuf piece);

    /** The peer has said all. */
    protected abstract void onEnd(HttpHeaders trailers);

    /** The stream is over before its time: reset by the peer ({@code byPeer}), or by us, or its connection is gone. */
    protected abstract void onBroken(Http2Error error, boolean byPeer);

    /** Whether a reset of that kind by the peer only means that nothing more is to be sent to it. */
    protected boolean isStopOnly(Http2Error error) {
        return false;
    }

    /** The peer has reset the stream. */
    final void resetByPeer(Http2Error error) {
        if (isStopOnly(error)) {
            queue.drop(output);
            finishIfDone();
        } else {
            broken(error, ClosedStreams.End.RESET_BY_PEER);
        }
    }

    /** All that one read has brought has been told. */
    protected abstract void onReadComplete();

    /** All peers together have sent more ahead than may be kept, and this one's last piece is lost: the message can't be whole. */
    protected abstract void onTooMuchHeld();

    /** The last byte has been handed on to be sent. */
    protected abstract void onSent();

    /** The stream is over, whichever way; told once. */
    protected void onClosed() {}

    final void headersFrame(HeaderFields fields, boolean end) throws Http2Fault {
        if (input.isEnded()) {
            throw Http2Fault.ofStream(id, Http2Error.STREAM_CLOSED, "header fields behind the end of a stream");
        }
        onHeaders(fields, end);
    }

    /** @param flowControlled the length with padding, which has been counted against the connection's window */
    final void dataFrame(ByteBuf data, int flowControlled, boolean end) throws Http2Fault {
        int bytes = data.readableBytes();
        try {
            boolean within = input.received(flowControlled);
            if (input.isEnded()) {
                throw Http2Fault.ofStream(id, Http2Error.STREAM_CLOSED, "data behind the end of a stream");
            }
            if (!within) {
                throw Http2Fault.ofStream(id, Http2Error.FLOW_CONTROL_ERROR, "more data than the stream's window");
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

    /** The head announces how long the body is; see {@link MessageLength#expect}. */
    protected final void expect(BodyFraming framing, long announced) {
        length.expect(framing, announced);
    }

    /** Returns how many bytes of the body have come. */
    protected final long received() {
        return length.total();
    }

    /**
     * Whether the body has the length that was announced for it. Its last bytes are withheld until the peer ends the
     * stream: with them the message would be complete for the recipient, and further data would make it malformed
     * (RFC 9113, 8.1.1).
     */
    protected final boolean isBodyComplete() {
        return length.isComplete();
    }

    /** Whether only the end of the stream is missing. */
    private boolean awaitsEnd() {
        return !input.isEnded() && isBodyComplete();
    }

    /** The peer has said all with the head; {@link #ended} has still to be called. */
    protected final void endsWithHead() {
        input.end();
    }

    /** The peer has said all, with trailers. @throws Http2Fault if they may not stand there, or the body is too short */
    protected final void endsWith(HeaderFields fields, boolean end) throws Http2Fault {
        HttpHeaders trailers = Trailers.read(id, fields, end);
        length.end(id);
        onPart();
        ended(trailers);
    }

    /** The peer has said all, with {@code trailers}. */
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

    /** {@code bytes} have been taken: the peer may send as many again. */
    private void taken(int bytes) {
        streams.taken(bytes);
        int increment = input.taken(bytes);
        if (increment > 0 && !input.isEnded() && !closed) {
            queue.windowUpdate(id, increment);
        }
    }

    /** Tells no more of the body until {@link #resume()}; the peer fills his window at most. */
    public final void pauseReading() {
        input.pause(true);
    }

    /** Tells on, what waits first. */
    public final void resume() {
        input.pause(false);
        deliver();
    }

    /** Delivers the held bytes that need not wait any longer, and then the end. */
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

    /** Whether the peer has said all, told or not. */
    protected final boolean isReceived() {
        return input.isEnded();
    }

    // ---- what goes

    /** The connection's list of fields, empty, for a header block of this stream. */
    protected final OutgoingFields fields() {
        return queue.fields();
    }

    /** Writes a header block. @param end whether nothing follows */
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

    /** Writes a piece of the body, which is owned here. */
    public final void send(ByteBuf piece) {
        if (closed || !output.isOpen()) {
            piece.release();
        } else {
            queue.add(output, piece);
        }
    }

    /** Ends the body, with {@code trailers} if there are any. */
    public final void sendEnd(HttpHeaders trailers) {
        if (!closed && output.isOpen()) {
            output.end(trailers);
            queue.line(output);
        }
    }

    /** Ends the body, behind what has been sent of it, in a way that nobody takes for its end. */
    protected final void sendBroken(Http2Error by) {
        if (!closed && !output.isDone()) {
            output.endBroken(by);
            queue.line(output);
        }
    }

    /** Whether more may be sent without its waiting beyond the watermark; if not, {@link #onWritable} will be told. */
    public final boolean isWritable() {
        return closed || queue.isWritable(output);
    }

    /** Whether the end has been sent, or waits behind the body. */
    public final boolean isEnding() {
        return !output.isOpen();
    }

    /** Whether the end has been written. */
    protected final boolean isAnswered() {
        return output.isDone();
    }

    /** Whether something has been waiting to be sent for {@code limit} nanoseconds, and nothing of it has left. */
    protected final boolean isStalled(long now, long limit) {
        return isSending() && output.bytes() > 0 && now - output.movedAt >= limit;
    }

    /** How many bytes wait to be sent. */
    public final long unsent() {
        return output.bytes();
    }

    /** Whether something waits to be sent. */
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

    // ---- the ends before the end

    /** Resets the stream; whoever is behind it is not told. */
    public final void reset(Http2Error error) {
        if (!closed) {
            queue.reset(id, error);
            close(ClosedStreams.End.RESET_BY_US);
        }
    }

    /** The stream ends by {@code error}, and whoever is behind it is told. */
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
