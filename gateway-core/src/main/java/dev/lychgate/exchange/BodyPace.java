package dev.lychgate.exchange;

import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.http.BodySink;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the speed of a response body. Sends one slice of the body per tick, and holds the other bytes that have been
 * read from the origin. Reading from the origin resumes after all held bytes are sent. Used on the exchange's event
 * loop.
 *
 * <p>The held bytes count against the memory budget. They are copies, because even a chunk of one byte may retain a
 * large read buffer. If the budget has no room for the held bytes, or if messages of other exchanges need the memory,
 * the rest of the body is sent without a speed limit.
 */
final class BodyPace implements Holding.Owner {
    private static final long UNLIMITED = Long.MAX_VALUE;
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int FIRST_BUFFER = 4 << 10;
    private static final int LARGEST_BUFFER = 64 << 10;

    private final Loop loop;
    private final ExchangeState state;
    private final Downstream downstream;
    private final BodySink sink;
    private final Runnable onFree;
    private final Holding memory;
    /** The bytes that are not sent yet; this object owns the buffers. */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(2);
    /**
     * The last buffer of {@link #held}, if more bytes may be appended to this buffer; null if no bytes may be appended.
     */
    private @Nullable ByteBuf open;
    /** The number of bytes of {@link #held} that count against the memory budget. */
    private int counted;

    private @Nullable HttpHeaders trailers;
    private @Nullable ScheduledFuture<?> timer;
    private long bytesPerSecond;
    /**
     * The number of bytes that may be sent now. The value never exceeds the number for one tick, so that no burst
     * follows a pause.
     */
    private double allowed;

    private long countedAt;

    /**
     * Creates a limit for one response body.
     *
     * @param sink receives the end of the body
     * @param onFree runs when all held bytes are sent, so that reading from the origin can resume
     * @param bytesPerSecond the speed limit, at least 1
     */
    BodyPace(Loop loop, ExchangeState state, BodySink sink, Runnable onFree, long bytesPerSecond) {
        this.loop = loop;
        this.state = state;
        this.downstream = state.downstream();
        this.sink = sink;
        this.onFree = onFree;
        this.memory = loop.memory().holding(this);
        this.bytesPerSecond = bytesPerSecond;
        this.countedAt = loop.nanoTime();
    }

    /** Returns whether bytes of the body are held. */
    boolean isHolding() {
        return !held.isEmpty();
    }

    /** Sends a chunk, or holds its bytes. Owns {@code chunk}. */
    void send(ByteBuf chunk) {
        boolean first = !isHolding();
        if (first && bytesPerSecond == UNLIMITED) {
            write(chunk);
            return;
        }
        hold(chunk);
        if (first) {
            sendAllowed();
        }
    }

    /** Ends the response after all held bytes are sent. */
    void sendEnd(HttpHeaders last) {
        trailers = last;
    }

    /** Continues to send, because the client is writable again. */
    void proceed() {
        if (timer == null) {
            onTick();
        }
    }

    /**
     * Raises the speed limit. Has no effect if the current limit is higher.
     *
     * @param bytes the speed limit, in bytes per second
     */
    void raise(long bytes) {
        bytesPerSecond = Math.max(bytesPerSecond, bytes);
    }

    /** Ends the speed limit. Held bytes are sent in a later task. */
    void end() {
        bytesPerSecond = UNLIMITED;
        releaseMemory();
        if (isHolding()) {
            schedule(0);
        }
    }

    /** Releases all counted bytes in the memory budget. Bytes that are held later do not count against the budget. */
    private void releaseMemory() {
        memory.release();
        counted = 0;
        open = null;
    }

    /** Releases all held bytes without sending them. */
    void close() {
        cancelTimer();
        releaseMemory();
        trailers = null;
        for (ByteBuf chunk = held.poll(); chunk != null; chunk = held.poll()) {
            chunk.release();
        }
    }

    // ---- hold

    private void hold(ByteBuf chunk) {
        ByteBuf last = open;
        int length = chunk.readableBytes();
        boolean fits = last != null && last.writableBytes() >= length;
        int size = fits ? 0 : Math.max(length, Math.min(LARGEST_BUFFER, Math.max(FIRST_BUFFER, counted)));
        if (bytesPerSecond == UNLIMITED || !memory.hold(counted + size, Holding.Kind.BODY)) {
            held.add(chunk);
            end();
            return;
        }
        counted += size;
        try {
            ByteBuf own = last != null && fits ? last : open(size);
            own.writeBytes(chunk);
        } finally {
            chunk.release();
        }
    }

    private ByteBuf open(int size) {
        ByteBuf own = loop.allocator().directBuffer(size, size);
        held.add(own);
        open = own;
        return own;
    }

    /** Removes and returns the first held buffer, which the caller owns. */
    private ByteBuf remove() {
        ByteBuf first = held.remove();
        if (counted > 0) {
            counted -= first.capacity();
            memory.hold(counted, Holding.Kind.BODY);
        }
        if (held.isEmpty()) {
            open = null;
        }
        return first;
    }

    // ---- send

    private void sendAllowed() {
        allow();
        for (ByteBuf first = held.peek();
                first != null && allowed >= 1 && downstream.isWritable();
                first = held.peek()) {
            int bytes = (int) Math.min(first.readableBytes(), (long) allowed);
            allowed -= bytes;
            write(bytes == first.readableBytes() ? remove() : first.readRetainedSlice(bytes));
        }
        // If the client is not writable, proceed() continues the body once the client is writable.
        if (isHolding() && downstream.isWritable()) {
            schedule(Math.max(TICK, (long) (SECOND / bytesPerSecond)));
        }
    }

    private void allow() {
        long now = loop.nanoTime();
        double most = Math.max(1, bytesPerSecond * (TICK / SECOND));
        double more = bytesPerSecond * ((now - countedAt) / SECOND);
        allowed = bytesPerSecond == UNLIMITED ? UNLIMITED : Math.min(most, allowed + more);
        countedAt = now;
    }

    private void write(ByteBuf chunk) {
        state.sending(chunk);
        downstream.writeBody(chunk);
    }

    private void schedule(long nanos) {
        cancelTimer();
        timer = loop.eventLoop().schedule(this::onTick, nanos, TimeUnit.NANOSECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void onTick() {
        timer = null;
        sendAllowed();
        if (!isHolding()) {
            onSent();
        } else {
            downstream.flush();
        }
    }

    private void onSent() {
        HttpHeaders last = trailers;
        if (last != null) {
            trailers = null;
            sink.sendEnd(last);
        } else {
            onFree.run();
            downstream.flush();
        }
    }

    // ---- memory budget

    /** Ends the speed limit, because other messages need the memory. */
    @Override
    public void releaseBytes() {
        end();
    }

    @Override
    public void onReclaim() {
        // releaseBytes() has ended the speed limit before.
    }
}
