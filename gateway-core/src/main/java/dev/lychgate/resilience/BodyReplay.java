package dev.lychgate.resilience;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what has been handed on of a request body, so that it could be handed on once more; up to a limit, beyond which
 * it keeps nothing and the request can't be sent again. On one event loop; to be {@linkplain #close closed} when the answer
 * begins, or the exchange ends.
 *
 * <p>Bytes are copied. To retain the pieces would be cheaper for long ones, but each may pin a read buffer many times its
 * size, and a client that sends single bytes would have us keep as many buffers: the limit would not be one.
 */
public final class BodyReplay implements AutoCloseable, Holding.Owner {
    private final ByteBufAllocator allocator;
    private final Holding holding;
    private final long limit;
    private @Nullable ByteBuf kept;
    private boolean whole = true;

    /**
     * @param memory counts what is kept, and takes it back first of all when it is used up
     * @param limit how many bytes it keeps
     */
    public BodyReplay(ByteBufAllocator allocator, HeldMemory memory, long limit) {
        this.allocator = allocator;
        this.holding = memory.holding(this);
        this.limit = limit;
    }

    /** Keeps a copy of {@code piece}, which stays the caller's and is not changed. Before it is written. */
    public void keep(ByteBuf piece) {
        int length = piece.readableBytes();
        if (!whole || length == 0) {
            return;
        }
        ByteBuf so = kept;
        long all = (so == null ? 0 : so.readableBytes()) + (long) length;
        if (all > limit || !holding.hold((int) all, Holding.Kind.REPLAY)) {
            close();
            return;
        }
        try {
            if (so == null) {
                so = allocator.buffer(length);
                kept = so;
            }
            so.writeBytes(piece, piece.readerIndex(), length);
        } catch (OutOfMemoryError refusal) {
            // The request goes on; only a retry needs the copy.
            close();
        }
    }

    /** Whether everything that was handed on is kept. */
    public boolean isWhole() {
        return whole;
    }

    /** All that is kept, to be written to another attempt, which then owns it; null if there is nothing. */
    public @Nullable ByteBuf again() {
        if (!whole) {
            throw new IllegalStateException("the body is not kept any more");
        }
        ByteBuf so = kept;
        // A copy: what waits to be written must not move when more is kept and the buffer has to grow.
        return so == null ? null : so.copy();
    }

    /** Keeps nothing any more. */
    @Override
    public void close() {
        whole = false;
        ByteBuf so = kept;
        kept = null;
        if (so != null) {
            so.release();
        }
        holding.release();
    }

    @Override
    public void onReclaim() {
        close();
    }
}
