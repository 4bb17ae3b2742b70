package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Sending half of a stream: its window, and the bytes that wait in the {@link SendQueue}. */
final class StreamOutput {
    /** Progress of our message. */
    private enum State {
        OPEN,
        /** Nothing more will be added; the end waits behind the queued bytes. */
        ENDING,
        /** The end has been written, or discarded. */
        DONE
    }

    /** The stream, as far as the {@link SendQueue} needs it. */
    interface Sender {
        boolean isClosed();

        /** More may be queued than before. */
        void onWritable();

        /** The end has been written. */
        void onOutputEnd();
    }

    final Sender sender;
    private final int stream;
    private final ByteQueue waiting;
    private State state = State.OPEN;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private @Nullable Http2Error brokenBy;
    /** Bytes that the peer accepts; negative after a setting that narrows the window. */
    private int window;
    /** Whether it is in the queue's line of streams with frames to write. */
    boolean inLine;
    /** Whether the sender waits for {@link Sender#onWritable}. */
    boolean awaited;
    /** When the last frame was written, or bytes began to wait; in wheel time. */
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

    /** Nothing more will be added. */
    void end(HttpHeaders last) {
        state = State.ENDING;
        trailers = last;
    }

    /** Nothing more will be added, and the message is not complete. */
    void endBroken(Http2Error by) {
        state = State.ENDING;
        brokenBy = by;
    }

    /** The end has been written with a header block. */
    void done() {
        state = State.DONE;
    }

    /** Returns whether more may be added. */
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

    /** Returns whether the stream's own window prevents a frame. */
    boolean isShut() {
        return !waiting.isEmpty() && window <= 0;
    }

    /** Returns whether the windows, of which {@code most} is the connection's, cut the next frame short. */
    boolean isCutShort(int most) {
        int open = Math.min(window, most);
        return waiting.bytes() > open && open < FrameType.LONGEST;
    }

    /** Widens, or narrows, the window. @return false if it leaves its range */
    boolean grow(int increment) {
        long grown = (long) window + increment;
        window = (int) grown;
        return grown <= Integer.MAX_VALUE && grown >= Integer.MIN_VALUE;
    }

    /** Writes one frame or two, of at most {@code most} bytes. @return how many of them count against the windows */
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

    /** Returns whether it has ended by a reset. */
    boolean isBroken() {
        return brokenBy != null;
    }

    /** Discards the queued bytes. @return how many these were */
    int drop() {
        state = State.DONE;
        return waiting.clear();
    }
}
