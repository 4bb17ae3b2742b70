package dev.lychgate.http2;

import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * One stream: a request and its answer. Keeps the order of things and the windows of both directions; what it is all about
 * is known by those who extend it. Lives on its connection's event loop.
 */
public abstract class Http2Stream implements Holding.Owner {
    private final Http2Connection connection;
    private final int id;
    final StreamInput input;
    final StreamOutput output;
    boolean touched;
    private boolean closed;

    protected Http2Stream(Http2Connection connection, int id) {
        this.connection = connection;
        this.id = id;
        this.input = new StreamInput(connection.streamWindow());
        this.output =
                new StreamOutput(connection.peerWindow(), connection.channel().alloc());
    }

    public final int id() {
        return id;
    }

    // ---- what comes

    /** A header block on this stream that is not its first from this peer. */
    protected abstract void onHeaders(HeaderFields fields, boolean end) throws Http2Fault;

    /** {@code bytes} of the body have come. @throws Http2Fault if they don't fit what was announced */
    protected abstract void onLength(int bytes, boolean end) throws Http2Fault;

    /**
     * Whether the body has the length that was announced for it. Its last bytes are withheld until the peer ends the
     * stream: with them the message would be complete for the recipient, and further data would make it malformed
     * (RFC 9113, 8.1.1).
     */
    protected abstract boolean isBodyComplete();

    /** A part of a frame of the body has come; it is told of when the frame is whole. */
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
            connection.dropped(output.drop());
            finishIfDone();
        } else {
            broken(error, ClosedStreams.End.RESET_BY_PEER);
        }
    }

    /** All that one read has brought has been told. */
    protected abstract void onReadComplete();

    /** It may be written on. */
    protected abstract void onWritable();

    /** All peers together have sent more ahead than may be kept, and this one's last piece is lost: the message can't be whole. */
    protected abstract void onTooMuchHeld();

    /** The last byte has been handed on to be sent. */
    protected abstract void onSent();

    /** The stream is over, whichever way; told once. */
    protected void onClosed() {}

    final void headersFrame(HeaderFields fields, boolean end) throws Http2Fault {
        if (input.done) {
            throw Http2Fault.ofStream(id, Http2Error.STREAM_CLOSED, "header fields behind the end of a stream");
        }
        onHeaders(fields, end);
    }

    /** @param flowControlled the length with padding, which has been counted against the connection's window */
    final void dataFrame(ByteBuf data, int flowControlled, boolean end) throws Http2Fault {
        int length = data.readableBytes();
        try {
            input.window -= flowControlled;
            if (input.done) {
                throw Http2Fault.ofStream(id, Http2Error.STREAM_CLOSED, "data behind the end of a stream");
            }
            if (input.window < 0) {
                throw Http2Fault.ofStream(id, Http2Error.FLOW_CONTROL_ERROR, "more data than the stream's window");
            }
            onLength(length, end);
        } catch (Http2Fault fault) {
            data.release();
            connection.taken(flowControlled);
            throw fault;
        }
        input.done = end;
        taken(flowControlled - length);
        if (input.paused || input.isHolding() || awaitsEnd()) {
            hold(data, length);
        } else {
            hand(data, length);
        }
        deliver();
    }

    /** Whether only the end of the stream is missing. */
    private boolean awaitsEnd() {
        return !input.done && isBodyComplete();
    }

    /** The peer has said all with the head; {@link #ended} has still to be called. */
    protected final void endsWithHead() {
        input.done = true;
    }

    /** The peer has said all, with {@code trailers}. */
    protected final void ended(HttpHeaders trailers) {
        input.done = true;
        input.trailers = trailers;
        deliver();
    }

    private void hold(ByteBuf piece, int length) {
        if (input.account(connection.memory(), this).hold(input.heldBytes() + length, Holding.Kind.BODY)) {
            input.held(connection.channel().alloc()).keep(piece);
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
        if (input.done && !input.endTold && !input.paused && !input.isHolding() && !closed) {
            input.endTold = true;
            onEnd(input.trailers);
            finishIfDone();
        }
    }

    /** {@code bytes} have been taken: the peer may send as many again. */
    private void taken(int bytes) {
        connection.taken(bytes);
        input.toReturn += bytes;
        if (!input.done && !closed && input.toReturn >= connection.limits().streamWindow() / 2) {
            connection.writer().windowUpdate(id, input.toReturn);
            input.window += input.toReturn;
            input.toReturn = 0;
            connection.flushSoon();
        }
    }

    /** Tells no more of the body until {@link #resume()}; the peer fills his window at most. */
    protected final void pause() {
        input.paused = true;
    }

    /** Tells on, what waits first. */
    protected final void resume() {
        input.paused = false;
        deliver();
    }

    /** Delivers the held bytes that need not wait any longer, and then the end. */
    private void deliver() {
        while (!input.paused && input.isHolding() && !awaitsEnd()) {
            ByteBuf piece = input.held(connection.channel().alloc()).take(Integer.MAX_VALUE);
            input.account(connection.memory(), this).hold(input.heldBytes(), Holding.Kind.BODY);
            hand(piece, piece.readableBytes());
        }
        tellEnd();
    }

    protected final boolean isPaused() {
        return input.paused;
    }

    /** Whether the peer has said all, told or not. */
    protected final boolean isReceived() {
        return input.done;
    }

    // ---- what goes

    /** The connection's list of fields, empty, for a header block of this stream. */
    protected final OutgoingFields fields() {
        return connection.fields();
    }

    /** Writes a header block. @param end whether nothing follows */
    protected final void send(OutgoingFields block, boolean end) {
        if (closed || output.done) {
            return;
        }
        try {
            connection.writer().headers(id, block, end);
        } catch (OutOfMemoryError refusal) {
            // The caller may be on another connection, which has done nothing wrong.
            connection.onRefusal(refusal);
            return;
        }
        connection.flushSoon();
        if (end) {
            output.done = true;
            sent();
        }
    }

    /** Writes a piece of the body, which is owned here. */
    protected final void send(ByteBuf piece) {
        if (closed || output.done) {
            piece.release();
        } else {
            connection.queue(this, piece);
        }
    }

    /** Ends the body, with {@code trailers} if there are any. */
    protected final void sendEnd(HttpHeaders trailers) {
        if (!closed && !output.done) {
            output.end(trailers);
            connection.line(this);
        }
    }

    /** Ends the body, behind what has been sent of it, in a way that nobody takes for its end. */
    protected final void sendBroken(Http2Error by) {
        if (!closed && !output.done) {
            output.endBroken(by);
            connection.line(this);
        }
    }

    /** Whether more may be sent without its waiting beyond the watermark; if not, {@link #onWritable} will be told. */
    protected final boolean mayWrite() {
        return closed || connection.mayQueue(this);
    }

    /** The trailers in {@code fields}. @throws Http2Fault if they may not stand at the end of a stream */
    protected final HttpHeaders trailers(HeaderFields fields, boolean end) throws Http2Fault {
        return Trailers.read(id, fields, end);
    }

    /** Whether the end has been written. */
    protected final boolean isAnswered() {
        return output.done;
    }

    /** Whether something has been waiting to be sent for {@code limit} nanoseconds, and nothing of it has left. */
    protected final boolean isStalled(long now, long limit) {
        return isSending() && output.bytes() > 0 && now - output.movedAt >= limit;
    }

    /** How many bytes wait to be sent. */
    protected final long unsent() {
        return output.bytes();
    }

    /** Whether something waits to be sent. */
    protected final boolean isSending() {
        return !closed && output.isWaiting();
    }

    /** The end has been written. */
    final void sent() {
        if (output.isBroken()) {
            close(ClosedStreams.End.RESET_BY_US);
            return;
        }
        onSent();
        finishIfDone();
    }

    private void finishIfDone() {
        if (!closed && output.done && input.done && input.endTold) {
            close(ClosedStreams.End.FINISHED);
        }
    }

    // ---- the ends before the end

    /** Resets the stream; whoever is behind it is not told. */
    protected final void reset(Http2Error error) {
        if (!closed) {
            connection.writer().reset(id, error);
            connection.flushSoon();
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
        connection.dropped(output.drop());
        int dropped = input.drop();
        input.release();
        connection.taken(dropped);
        connection.remove(this, how);
        onClosed();
    }

    protected final boolean isClosed() {
        return closed;
    }
}
