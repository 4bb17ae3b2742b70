package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Sending half of a stream: its window, and its queued bytes for the {@link SendQueue}. */
final class StreamOutput {
    /** Progress of the outgoing message. */
    private enum State {
        OPEN,
        /** The message is complete; its end is queued after the bytes. */
        ENDING,
        /** The end of the message has been written or discarded. */
        DONE
    }

    /** The operations of a stream that the {@link SendQueue} calls. */
    interface Sender {
        boolean isClosed();

        /** Reports that more bytes may be queued. */
        void onWritable();

        /** Reports that the end of the message has been written. */
        void onOutputEnd();
    }

    final Sender sender;
    private final int stream;
    private final ByteQueue waiting;
    private State state = State.OPEN;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private @Nullable Http2Error brokenBy;
    /**
     * Number of bytes that the peer still accepts. Negative after a setting has reduced the window below the number of
     * bytes already sent.
     */
    private int window;
    /** True if the output is in the queue's line of streams with frames to write. */
    boolean inLine;
    /** True if the sender expects a call of {@link Sender#onWritable}. */
    boolean awaited;
    /**
     * Time of the {@link dev.lychgate.loop.DeadlineWheel} at which the last frame was written, or at which the queue
     * became non-empty, whichever is later.
     */
    long movedAt;

    StreamOutput(Sender sender, int stream, int window, ByteBufAllocator allocator) {
        this.sender = sender;
        this.stream = stream;
        this.window = window;
        this.waiting = new ByteQueue(allocator);
    }

    void add(ByteBuf buffer) {
        waiting.add(buffer);
    }

    void end(HttpHeaders last) {
        state = State.ENDING;
        trailers = last;
    }

    /** Ends the output with a reset, because the message is incomplete. */
    void endBroken(Http2Error by) {
        state = State.ENDING;
        brokenBy = by;
    }

    /** Records that a header block has ended the message. */
    void done() {
        state = State.DONE;
    }

    /** Returns whether more bytes may be added. */
    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    int bytes() {
        return waiting.bytes();
    }

    boolean isWaiting() {
        return state == State.ENDING || (state == State.OPEN && !waiting.isEmpty());
    }

    /** Returns whether the stream's own window is exhausted, so that no DATA frame can be written. */
    boolean isShut() {
        return !waiting.isEmpty() && window <= 0;
    }

    /**
     * Returns whether the flow-control windows shorten the next frame. {@code most} is the connection's window, in
     * bytes.
     */
    boolean isCutShort(int most) {
        int open = Math.min(window, most);
        return waiting.bytes() > open && open < FrameType.LONGEST;
    }

    /**
     * Changes the window.
     *
     * @return false if the window leaves its range
     */
    boolean grow(int increment) {
        long grown = (long) window + increment;
        window = (int) grown;
        return grown <= Integer.MAX_VALUE && grown >= Integer.MIN_VALUE;
    }

    /**
     * Writes the next DATA frame, the end of the output, or both.
     *
     * @param most maximum number of payload bytes of the DATA frame; the stream's window may limit the number further
     * @return number of payload bytes, which count against the windows
     */
    int write(FrameWriter writer, OutgoingFields fields, int most) {
        if (waiting.isEmpty()) {
            writeEnd(writer, fields);
            return 0;
        }
        ByteBuf buffer = waiting.take(Math.min(most, Math.min(window, FrameType.LONGEST)));
        int length = buffer.readableBytes();
        window -= length;
        boolean last = state == State.ENDING && waiting.isEmpty();
        boolean plain = brokenBy == null && trailers.isEmpty();
        writer.data(stream, buffer, last && plain);
        if (last && plain) {
            state = State.DONE;
        } else if (last) {
            writeEnd(writer, fields);
        }
        return length;
    }

    private void writeEnd(FrameWriter writer, OutgoingFields fields) {
        state = State.DONE;
        Http2Error broken = brokenBy;
        if (broken != null) {
            writer.reset(stream, broken);
        } else if (trailers.isEmpty()) {
            writer.data(stream, Unpooled.EMPTY_BUFFER, true);
        } else {
            writer.headers(stream, fields.begin().fields(trailers), true);
        }
    }

    /** Returns whether the output ends with a reset. */
    boolean isBroken() {
        return brokenBy != null;
    }

    /**
     * Discards the queued bytes.
     *
     * @return the number of discarded bytes
     */
    int drop() {
        state = State.DONE;
        return waiting.clear();
    }
}
