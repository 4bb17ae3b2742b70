package dev.lychgate.exchange.filtering;

import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a body that is kept until it is whole. It counts against the budget of the process, and is copied: a chunk of one
 * byte may be a slice of a read buffer that is 500,000 times as large. On one event loop.
 */
final class HeldBody implements Holding.Owner {
    private static final int FIRST_BUFFER = 4 << 10;
    private static final int LARGEST_BUFFER = 64 << 10;

    private final Loop loop;
    private final Holding holding;
    /** The last buffer, while it may be written to. */
    private @Nullable ByteBuf open;

    private final Runnable drop;
    private final Runnable abort;
    private int reserved;
    private boolean lost;

    /**
     * @param drop releases the buffers that {@link #keep} has returned
     * @param abort ends the exchange; called later than {@code drop}
     */
    HeldBody(Loop loop, Runnable drop, Runnable abort) {
        this.loop = loop;
        this.drop = drop;
        this.abort = abort;
        this.holding = loop.memory().holding(this);
    }

    /**
     * Takes over {@code chunk}.
     *
     * @return a buffer with its bytes, which follows the earlier ones; null if the last of those took them, or if the body
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
            // What a transform made: an array of its own length.
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

    /** The buffers before are read from here on: the next chunk begins another one. */
    void begin() {
        open = null;
    }

    /** Whether the memory for it was refused, or taken back for others: the exchange is aborted in its turn. */
    boolean isLost() {
        return lost;
    }

    /** All of it has come. */
    void complete() {
        open = null;
        holding.complete();
    }

    /** The body is not needed any more. */
    void release() {
        open = null;
        holding.release();
    }
}
