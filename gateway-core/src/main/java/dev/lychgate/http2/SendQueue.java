package dev.lychgate.http2;

import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one connection. Streams write one DATA frame each in turn, within the connection's send window. Frames
 * that are written during a read, or within one turn of the loop, are flushed once.
 */
final class SendQueue {
    /** Queued bytes from which a stream is not writable. */
    private static final int STREAM_WATERMARK = 64 * 1024;
    /** Queued bytes of all streams from which no stream is writable. */
    static final int MOST_QUEUED = 2 << 20;
    /** As many times what one HTTP/1.1 connection may hold, while little memory is left. */
    private static final int SHARES = 4;

    private static final int LEAST_QUEUED = 16 << 10;

    private final Loop loop;
    private final Channel channel;
    private final FrameBudget budget;
    private final OutgoingFields fields = new OutgoingFields();
    /** Streams with frames to write, in turn. */
    private final ArrayDeque<StreamOutput> line = new ArrayDeque<>();
    /** Streams whose senders wait until they are writable. */
    private final ArrayDeque<StreamOutput> waiting = new ArrayDeque<>();

    private final Runnable flush = this::flush;
    private @Nullable FrameWriter writer;
    private int window = ReceiveWindow.INITIAL;
    private int queued;
    private boolean reading;
    private boolean flushScheduled;

    SendQueue(Loop loop, Channel channel, FrameBudget budget) {
        this.loop = loop;
        this.channel = channel;
        this.budget = budget;
    }

    void begin(FrameWriter first) {
        writer = first;
    }

    FrameWriter writer() {
        FrameWriter w = writer;
        if (w == null) {
            throw new IllegalStateException("a connection that has not begun");
        }
        return w;
    }

    /** Returns the connection's list of fields, empty, for one header block. */
    OutgoingFields fields() {
        return fields.begin();
    }

    /** Writes a header block. */
    void headers(int stream, OutgoingFields block, boolean end) {
        writer().headers(stream, block, end);
        flushSoon();
    }

    void reset(int stream, Http2Error error) {
        writer().reset(stream, error);
        flushSoon();
    }

    /** Writes a WINDOW_UPDATE frame. @param stream 0 for the connection */
    void windowUpdate(int stream, int increment) {
        writer().windowUpdate(stream, increment);
        flushSoon();
    }

    /** Queues a part of a body, which is owned here. */
    void add(StreamOutput output, ByteBuf buffer) {
        if (output.bytes() == 0) {
            output.movedAt = loop.deadlines().now();
        }
        queued += buffer.readableBytes();
        output.add(buffer);
        line(output);
    }

    /** Discards the queued bytes of {@code output}, which writes nothing more. */
    void drop(StreamOutput output) {
        queued -= output.drop();
    }

    /** {@code output} has frames to write. */
    void line(StreamOutput output) {
        if (!output.inLine) {
            output.inLine = true;
            line.addLast(output);
        }
        flushSoon();
    }

    /** Returns whether more may be queued; if not, the sender is notified when it may. */
    boolean isWritable(StreamOutput output) {
        // Header blocks are written at once: only the channel knows how many of them wait.
        boolean writable = output.bytes() < STREAM_WATERMARK && hasRoom() && channel.isWritable();
        if (!writable && !output.awaited) {
            output.awaited = true;
            waiting.addLast(output);
        }
        return writable;
    }

    /** Whether more may be queued for all streams together: the less, the less memory is left. */
    private boolean hasRoom() {
        return queued < LEAST_QUEUED || (queued < MOST_QUEUED && queued < SHARES * Headroom.share());
    }

    /** Widens the connection's send window. @return false if it exceeds its maximum */
    boolean grow(int increment) {
        long grown = (long) window + increment;
        window = (int) grown;
        flushSoon();
        return grown <= Integer.MAX_VALUE;
    }

    /** Widens, or narrows, the send window of a stream. @return false if it leaves its range */
    boolean grow(StreamOutput output, int increment) {
        boolean inRange = output.grow(increment);
        if (output.isWaiting()) {
            line(output);
        }
        return inRange;
    }

    /** A read begins; the frames that it causes are flushed by {@link #endRead}. */
    void beginRead() {
        reading = true;
    }

    void endRead() {
        reading = false;
        flush();
    }

    /** Flushes the written frames at the end of this read or of this turn of the loop. */
    void flushSoon() {
        if (!reading && !flushScheduled) {
            flushScheduled = true;
            loop.eventLoop().execute(flush);
        }
    }

    private void flush() {
        flushScheduled = false;
        if (channel.isActive()) {
            writeLine();
            notifyWritable();
            writer().flush();
        }
    }

    /** Writes one frame of each stream in turn, until none can be written. */
    void writeLine() {
        int stuck = 0;
        while (stuck < line.size() && channel.isWritable()) {
            StreamOutput output = line.removeFirst();
            if (!output.isWaiting() || output.isShut()) {
                // Done, or until the peer opens its window.
                output.inLine = false;
            } else if (output.bytes() > 0 && window <= 0) {
                line.addLast(output);
                stuck++;
            } else {
                write(output);
                stuck = 0;
            }
        }
    }

    private void write(StreamOutput output) {
        boolean dribble = output.isCutShort(window);
        int written = output.write(writer(), fields, window);
        window -= written;
        queued -= written;
        output.movedAt = loop.deadlines().now();
        output.inLine = output.isWaiting();
        if (output.inLine) {
            line.addLast(output);
        }
        if (!dribble) {
            // A frame that a window cuts short earns nothing, or windows that open byte by byte would pay for
            // themselves.
            budget.onDataSent();
        }
        if (output.isDone()) {
            output.sender.onOutputEnd();
        }
    }

    private void notifyWritable() {
        for (int n = waiting.size(); n > 0; n--) {
            StreamOutput output = waiting.removeFirst();
            output.awaited = false;
            if (!output.sender.isClosed() && isWritable(output)) {
                output.sender.onWritable();
            }
        }
    }
}
