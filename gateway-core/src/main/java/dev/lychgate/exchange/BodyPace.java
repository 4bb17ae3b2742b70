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
 * Limits the speed of a response body. It sends a slice at each tick and holds the rest of the chunks that one read of the origin
 * delivers; the origin is not read before all of them are sent. On the exchange's event loop.
 *
 * <p>The held bytes count against the memory budget. They are copies, because a chunk of one byte may be a slice of a large read
 * buffer. If the budget has no room, or is needed for other messages, the limit ends, and the body is held no longer than that of
 * an exchange without a limit.
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
    /** Owned here. */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(2);
    /** The last of {@link #held}, while it accepts more bytes. */
    private @Nullable ByteBuf open;
    /** Bytes of {@link #held} that count against the budget. */
    private int counted;

    private @Nullable HttpHeaders trailers;
    private @Nullable ScheduledFuture<?> timer;
    private long bytesPerSecond;
    /** Bytes that may be sent now; at most the bytes of one tick, so that a pause causes no burst. */
    private double allowed;

    private long countedAt;

    /**
     * @param sink gets the end of the body
     * @param onFree runs when nothing waits any more: the origin may be read
     * @param bytesPerSecond at least 1
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

    /** Returns whether a part of the body waits. */
    boolean isHolding() {
        return !held.isEmpty();
    }

    /** Sends a chunk, which is owned here from now on. */
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

    /** Ends the response after the bytes that wait. */
    void sendEnd(HttpHeaders last) {
        trailers = last;
    }

    /** The client is writable again. */
    void proceed() {
        if (timer == null) {
            onTick();
        }
    }

    /** Raises the limit; without effect on a higher one. @param bytes per second */
    void raise(long bytes) {
        bytesPerSecond = Math.max(bytesPerSecond, bytes);
    }

    /** Ends the limit. Nothing is sent before this returns. */
    void end() {
        bytesPerSecond = UNLIMITED;
        releaseMemory();
        if (isHolding()) {
            schedule(0);
        }
    }

    /** Returns all bytes to the budget; later ones are not counted. */
    private void releaseMemory() {
        memory.release();
        counted = 0;
        open = null;
    }

    /** Releases everything that waits. */
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

    /** Removes the first buffer; the caller owns it. */
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
        // An unwritable client resumes the body by itself.
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

    /** Other messages need the memory: the limit ends. */
    @Override
    public void releaseBytes() {
        end();
    }

    @Override
    public void onReclaim() {
        // The limit has ended by then.
    }
}
