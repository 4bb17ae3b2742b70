package dev.lychgate.exchange;

import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a body that is kept until it is whole. It counts against the budget of the process, and is copied: a chunk of one
 * byte may be a slice of a read buffer that is 500,000 times as large. On one event loop.
 */
final class HeldBody {
    private static final int FIRST_BUFFER = 4 << 10;
    private static final int LARGEST_BUFFER = 64 << 10;

    private final Loop loop;
    private final Holding holding;
    /** The last buffer, while it may be written to. */
    private @Nullable ByteBuf open;

    private int reserved;
    private boolean refused;

    /** @param owner aborts the exchange when the memory is needed for others */
    HeldBody(Loop loop, Holding.Owner owner) {
        this.loop = loop;
        this.holding = loop.memory().holding(owner);
    }

    /**
     * Takes over {@code chunk}.
     *
     * @return the buffer in which its bytes are, to be put behind those before it; null if they are in the last of those
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
            reserve(length);
            return chunk;
        }
        int size = Math.max(length, Math.min(LARGEST_BUFFER, Math.max(FIRST_BUFFER, reserved)));
        if (!reserve(size)) {
            return chunk;
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
        if (refused || !holding.hold(reserved + bytes, Holding.Kind.BODY)) {
            refused = true;
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** The buffers before are read from here on: the next chunk begins another one. */
    void begin() {
        open = null;
    }

    /** Whether the budget has refused a part of it. */
    boolean lacksMemory() {
        return refused;
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
