package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** What a stream has still to send, and how much of it the peer takes. */
final class StreamOutput {
    private final ByteQueue waiting;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private @Nullable Http2Error brokenBy;
    private boolean ended;
    /** How much the peer takes; less than nothing if he has changed his mind. */
    int window;
    /** The end has been written. */
    boolean done;
    /** It stands in the connection's line of those who have something to write. */
    boolean inLine;
    /** Somebody was told to send no more for now, and waits to be told otherwise. */
    boolean awaited;
    /** When something was written last, or began to wait; in wheel time. */
    long movedAt;

    StreamOutput(int window, ByteBufAllocator allocator) {
        this.window = window;
        this.waiting = new ByteQueue(allocator);
    }

    void add(ByteBuf piece) {
        waiting.add(piece);
    }

    /** Nothing more will be added. */
    void end(HttpHeaders last) {
        ended = true;
        trailers = last;
    }

    /** Nothing more will be added, and what there is is not the whole. */
    void endBroken(Http2Error by) {
        ended = true;
        brokenBy = by;
    }

    int bytes() {
        return waiting.bytes();
    }

    boolean isWaiting() {
        return !done && (ended || !waiting.isEmpty());
    }

    /** Whether it is the stream's own window that keeps it from writing. */
    boolean isShut() {
        return !waiting.isEmpty() && window <= 0;
    }

    /** Writes one frame or two, of at most {@code most} bytes. @return how many of them count against the windows */
    int write(int stream, FrameWriter writer, OutgoingFields fields, int most) {
        if (waiting.isEmpty()) {
            writeEnd(stream, writer, fields);
            return 0;
        }
        ByteBuf piece = waiting.take(Math.min(most, Math.min(window, FrameType.LONGEST)));
        int length = piece.readableBytes();
        window -= length;
        boolean last = ended && waiting.isEmpty();
        boolean plain = brokenBy == null && trailers.isEmpty();
        writer.data(stream, piece, last && plain);
        if (last && plain) {
            done = true;
        } else if (last) {
            writeEnd(stream, writer, fields);
        }
        return length;
    }

    private void writeEnd(int stream, FrameWriter writer, OutgoingFields fields) {
        done = true;
        Http2Error broken = brokenBy;
        if (broken != null) {
            writer.reset(stream, broken);
        } else if (trailers.isEmpty()) {
            writer.data(stream, Unpooled.EMPTY_BUFFER, true);
        } else {
            writer.headers(stream, fields.begin().fields(trailers), true);
        }
    }

    /** Whether it has ended by a reset. */
    boolean isBroken() {
        return brokenBy != null;
    }

    /** Lets go of what waits. @return how many bytes that were */
    int drop() {
        done = true;
        return waiting.clear();
    }
}
