package dev.lychgate.exchange.filtering;

import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a body that is buffered as a whole. The memory counts against the memory budget of the process. Chunks
 * are copied, because a chunk of one byte may retain a read buffer that is 500,000 times as large. Used on one event
 * loop.
 */
final class HeldBody implements Holding.Owner {
    private static final int FIRST_BUFFER = 4 << 10;
    private static final int LARGEST_BUFFER = 64 << 10;

    private final Loop loop;
    private final Holding holding;
    /** The last buffer, if more bytes may be appended to this buffer; null if no bytes may be appended. */
    private @Nullable ByteBuf open;

    private final Runnable drop;
    private final Runnable abort;
    private int reserved;
    private boolean lost;

    /**
     * Creates an empty body.
     *
     * @param drop releases the buffers that {@link #keep} has returned
     * @param abort fails the exchange; called after {@code drop}
     */
    HeldBody(Loop loop, Runnable drop, Runnable abort) {
        this.loop = loop;
        this.drop = drop;
        this.abort = abort;
        this.holding = loop.memory().holding(this);
    }

    /**
     * Keeps the bytes of {@code chunk}. This method owns {@code chunk}.
     *
     * @return a new buffer with the bytes, which the caller appends to the earlier buffers; null if the bytes were
     *     added to the last buffer, or if the body is {@linkplain #isLost lost}
     */
    @Nullable
    ByteBuf keep(ByteBuf chunk) {
        int length = chunk.readableBytes();
        ByteBuf last = open;
        if (last != null && last.writableBytes() >= length) {
            last.writeBytes(chunk);
            chunk.release();
            return null;
        }
        if (!chunk.isDirect()) {
            // A heap buffer is the output of a transform. A copy is not necessary, because the buffer wraps an array of
            // exactly its length.
            return reserve(length) ? chunk : dropped(chunk);
        }
        int size = Math.max(length, Math.min(LARGEST_BUFFER, Math.max(FIRST_BUFFER, reserved)));
        if (!reserve(size)) {
            return dropped(chunk);
        }
        try {
            ByteBuf own = loop.allocator().directBuffer(size, size).writeBytes(chunk);
            open = own;
            return own;
        } finally {
            chunk.release();
        }
    }

    private boolean reserve(int bytes) {
        if (!lost && !holding.hold(reserved + bytes, Holding.Kind.BODY)) {
            holding.abort();
        }
        reserved += bytes;
        return !lost;
    }

    private static @Nullable ByteBuf dropped(ByteBuf chunk) {
        chunk.release();
        return null;
    }

    @Override
    public void releaseBytes() {
        lost = true;
        open = null;
        drop.run();
    }

    @Override
    public void onReclaim() {
        abort.run();
    }

    /** Closes the last buffer for writing, so that the next chunk begins a new buffer. */
    void begin() {
        open = null;
    }

    /** Returns whether the memory was refused or reclaimed, so that the exchange fails. */
    boolean isLost() {
        return lost;
    }

    void complete() {
        open = null;
        holding.complete();
    }

    /** Releases the memory of a body that is no longer needed. */
    void release() {
        open = null;
        holding.release();
    }
}
