package dev.lychgate.exchange.attempt;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the forwarded part of a request body, for sending the body again. If the body exceeds the limit, the copy
 * is discarded, and the request cannot be sent again. Used on one event loop. The owner must {@linkplain #close close}
 * the copy when the response begins or the exchange ends.
 *
 * <p>Chunks are copied, because a retained chunk may keep a much larger read buffer in memory. Without the copy, a
 * client that sends single bytes could bypass the limit.
 */
final class BodyReplay implements AutoCloseable, Holding.Owner {
    private final ByteBufAllocator allocator;
    private final Holding holding;
    private final long limit;
    private @Nullable ByteBuf kept;
    private boolean whole = true;

    /**
     * Creates an empty copy.
     *
     * @param memory counts the bytes of the copy against the memory budget. When the budget is exhausted, copies for
     *     retries are reclaimed before unfinished heads and stalled bodies
     * @param limit the maximum number of bytes to keep
     */
    BodyReplay(ByteBufAllocator allocator, HeldMemory memory, long limit) {
        this.allocator = allocator;
        this.holding = memory.holding(this);
        this.limit = limit;
    }

    /**
     * Appends the bytes of {@code piece}, which stays unchanged and owned by the caller. Called before {@code piece} is
     * written.
     */
    void keep(ByteBuf piece) {
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
            // The request continues without the copy, because only a retry needs it.
            close();
        }
    }

    /** Returns whether the copy contains all forwarded bytes. */
    boolean isWhole() {
        return whole;
    }

    /** Returns the bytes for another attempt, in a buffer that the caller owns; null if there are no bytes. */
    @Nullable
    ByteBuf again() {
        if (!whole) {
            throw new IllegalStateException("the body is no longer buffered");
        }
        ByteBuf so = kept;
        // Returns a copy, because kept bytes may move when their buffer grows, while writes may still be queued.
        return so == null ? null : so.copy();
    }

    /** Discards the copy. */
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
