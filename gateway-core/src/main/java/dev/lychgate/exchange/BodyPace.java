package dev.lychgate.exchange;

import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.http.BodySink;
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
 */
final class BodyPace {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop;
    private final ExchangeState state;
    private final Downstream downstream;
    private final BodySink sink;
    private final Runnable onFree;
    private final long bytesPerSecond;
    /** Owned here. */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(2);

    private @Nullable HttpHeaders trailers;
    private @Nullable ScheduledFuture<?> timer;
    /** Bytes that may be sent now; at most those of one tick, so that a pause causes no burst. */
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
        this.bytesPerSecond = bytesPerSecond;
        this.countedAt = loop.nanoTime();
    }

    /** Returns whether a part of the body waits. */
    boolean isHolding() {
        return !held.isEmpty();
    }

    /** Sends a chunk, which is owned here from now on. */
    void send(ByteBuf chunk) {
        held.add(chunk);
        if (held.size() == 1) {
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

    private void sendAllowed() {
        long now = loop.nanoTime();
        double most = Math.max(1, bytesPerSecond * (TICK / SECOND));
        allowed = Math.min(most, allowed + bytesPerSecond * ((now - countedAt) / SECOND));
        countedAt = now;
        for (ByteBuf first = held.peek();
                first != null && allowed >= 1 && downstream.isWritable();
                first = held.peek()) {
            int bytes = (int) Math.min(first.readableBytes(), (long) allowed);
            allowed -= bytes;
            write(bytes == first.readableBytes() ? held.remove() : first.readRetainedSlice(bytes));
        }
        // An unwritable client resumes the body by itself.
        if (isHolding() && downstream.isWritable()) {
            long wait = Math.max(TICK, (long) (SECOND / bytesPerSecond));
            timer = loop.eventLoop().schedule(this::onTick, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void write(ByteBuf chunk) {
        state.addResponseBytes(chunk.readableBytes());
        downstream.writeBody(chunk);
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

    /** Sends everything that waits. The caller no longer passes the body here. */
    void end() {
        cancel();
        boolean waited = isHolding();
        for (ByteBuf chunk = held.poll(); chunk != null; chunk = held.poll()) {
            write(chunk);
        }
        if (waited) {
            onSent();
        }
    }

    /** Releases everything that waits. */
    void close() {
        cancel();
        held.forEach(ByteBuf::release);
        held.clear();
        trailers = null;
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
