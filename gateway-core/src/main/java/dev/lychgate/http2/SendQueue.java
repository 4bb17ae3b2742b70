package dev.lychgate.http2;

import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends the frames of one connection. The streams take turns in writing one DATA frame each, within the connection's
 * send window. All frames that are written during one read or one loop iteration are flushed together.
 */
final class SendQueue {
    /** Number of queued bytes at which a stream becomes unwritable. */
    private static final int STREAM_WATERMARK = 64 * 1024;
    /** Number of queued bytes of all streams at which every stream becomes unwritable. */
    static final int MOST_QUEUED = 2 << 20;
    /**
     * Limit of queued bytes per connection while memory is scarce, as a multiple of the limit for an HTTP/1.1
     * connection.
     */
    private static final int SHARES = 4;

    private static final int LEAST_QUEUED = 16 << 10;

    private final Loop loop;
    private final Channel channel;
    private final FrameBudget budget;
    private final OutgoingFields fields = new OutgoingFields();
    /** Streams with frames to write, in round-robin order. */
    private final ArrayDeque<StreamOutput> line = new ArrayDeque<>();
    /** Streams whose senders wait until they may queue more bytes. */
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
            throw new IllegalStateException("the connection has not started");
        }
        return w;
    }

    /** Clears and returns the connection's list of fields, for one header block. */
    OutgoingFields fields() {
        return fields.begin();
    }

    void headers(int stream, OutgoingFields block, boolean end) {
        writer().headers(stream, block, end);
        flushSoon();
    }

    void reset(int stream, Http2Error error) {
        writer().reset(stream, error);
        flushSoon();
    }

    /**
     * Writes a WINDOW_UPDATE frame.
     *
     * @param stream 0 for the connection
     */
    void windowUpdate(int stream, int increment) {
        writer().windowUpdate(stream, increment);
        flushSoon();
    }

    /** Queues a body chunk. This method owns the chunk. */
    void add(StreamOutput output, ByteBuf buffer) {
        if (output.bytes() == 0) {
            output.movedAt = loop.deadlines().now();
        }
        queued += buffer.readableBytes();
        output.add(buffer);
        line(output);
    }

    /** Discards the queued bytes of {@code output}. After this call, the output writes no frames. */
    void drop(StreamOutput output) {
        queued -= output.drop();
    }

    /** Adds {@code output}, which has frames to write, to the line of streams. */
    void line(StreamOutput output) {
        if (!output.inLine) {
            output.inLine = true;
            line.addLast(output);
        }
        flushSoon();
    }

    /**
     * Returns whether the stream may queue more bytes. If the result is false, the sender of the stream is notified
     * when it may queue more bytes.
     */
    boolean isWritable(StreamOutput output) {
        // Header blocks bypass this queue, so the channel must also be writable.
        boolean writable = output.bytes() < STREAM_WATERMARK && hasRoom() && channel.isWritable();
        if (!writable && !output.awaited) {
            output.awaited = true;
            waiting.addLast(output);
        }
        return writable;
    }

    /**
     * Returns whether the queued bytes of all streams are below their limit. The limit decreases with the remaining
     * memory.
     */
    private boolean hasRoom() {
        return queued < LEAST_QUEUED || (queued < MOST_QUEUED && queued < SHARES * Headroom.share());
    }

    /**
     * Increases the connection's send window.
     *
     * @return false if the window exceeds its maximum
     */
    boolean grow(int increment) {
        long grown = (long) window + increment;
        window = (int) grown;
        flushSoon();
        return grown <= Integer.MAX_VALUE;
    }

    /**
     * Changes the send window of a stream.
     *
     * @return false if the window leaves its range
     */
    boolean grow(StreamOutput output, int increment) {
        boolean inRange = output.grow(increment);
        if (output.isWaiting()) {
            line(output);
        }
        return inRange;
    }

    /** Begins a read; {@link #endRead} flushes the frames that are written during the read. */
    void beginRead() {
        reading = true;
    }

    void endRead() {
        reading = false;
        flush();
    }

    /** Flushes the written frames at the end of this read or loop iteration. */
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

    /** Writes one frame of each stream in turn, until no stream can write. */
    void writeLine() {
        int stuck = 0;
        while (stuck < line.size() && channel.isWritable()) {
            StreamOutput output = line.removeFirst();
            if (!output.isWaiting() || output.isShut()) {
                // The output is complete, or a window update must arrive before it can continue.
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
            // A frame that a window has shortened adds no tokens, because otherwise a peer would earn tokens by opening
            // windows byte by byte.
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
