package dev.lychgate.exchange.filtering;

import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a body that is buffered whole. Counts against the memory budget of the process. Chunks are copied, because a
 * chunk of one byte may be a slice of a read buffer that is 500,000 times as large. On one event loop.
 */
final class HeldBody implements Holding.Owner {
    private static final int FIRST_BUFFER = 4 << 10;
    private static final int LARGEST_BUFFER = 64 << 10;

    private final Loop loop;
    private final Holding holding;
    /** The last buffer, while it accepts more bytes. */
    private @Nullable ByteBuf open;

    private final Runnable drop;
    private final Runnable abort;
    private int reserved;
    private boolean lost;

    /**
     * @param drop releases the buffers that {@link #keep} returned
     * @param abort ends the exchange; called after {@code drop}
     */
    HeldBody(Loop loop, Runnable drop, Runnable abort) {
        this.loop = loop;
        this.drop = drop;
        this.abort = abort;
        this.holding = loop.memory().holding(this);
    }

    /**
     * Keeps the bytes of {@code chunk}, which it owns.
     *
     * @return a buffer with the bytes, to append to the earlier ones; null if the last of those received them or the body
     *     {@link #isLost}
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
            // Output of a transform: an array of exact length.
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

    /** Closes the current buffers for writing: the next chunk starts a new one. */
    void begin() {
        open = null;
    }

    /** Returns whether its memory was refused or reclaimed, which aborts the exchange. */
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
