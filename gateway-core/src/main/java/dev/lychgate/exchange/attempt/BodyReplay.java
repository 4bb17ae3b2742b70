package dev.lychgate.exchange.attempt;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Copy of the forwarded part of a request body for a replay. Beyond its limit it discards the copy, and the request can't be
 * sent again. For one event loop; {@linkplain #close close} it when the response begins or the exchange ends.
 *
 * <p>Bytes are copied. Retaining chunks would be cheaper for large ones, but each may pin a read buffer many times its size.
 * A client that sends single bytes could thus bypass the limit.
 */
final class BodyReplay implements AutoCloseable, Holding.Owner {
    private final ByteBufAllocator allocator;
    private final Holding holding;
    private final long limit;
    private @Nullable ByteBuf kept;
    private boolean whole = true;

    /**
     * @param memory counts the copy, and reclaims it first when the budget is exhausted
     * @param limit most bytes to keep
     */
    BodyReplay(ByteBufAllocator allocator, HeldMemory memory, long limit) {
        this.allocator = allocator;
        this.holding = memory.holding(this);
        this.limit = limit;
    }

    /** Copies {@code piece}, which remains owned by the caller and unchanged. Called before it is written. */
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
            // The request continues; only a retry needs the copy.
            close();
        }
    }

    /** Returns whether the copy contains all forwarded bytes. */
    boolean isWhole() {
        return whole;
    }

    /** Returns the copy for another attempt, which then owns it; null if it is empty. */
    @Nullable
    ByteBuf again() {
        if (!whole) {
            throw new IllegalStateException("the body is no longer buffered");
        }
        ByteBuf so = kept;
        // A copy: queued writes must not move when the kept buffer grows.
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
