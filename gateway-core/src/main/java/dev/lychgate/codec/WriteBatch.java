package dev.lychgate.codec;

import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.LoopAllocator;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import org.jspecify.annotations.Nullable;

/**
 * Data that the next flush sends on one connection. Merges small writes into one buffer, and writes large chunks
 * without a copy. Owned by one connection and used on its event loop.
 */
public final class WriteBatch {
    /**
     * Maximum size of a chunk that is copied. Up to this size, a copy costs less than an additional buffer in the
     * queue.
     */
    public static final int COPY_LIMIT = 4096;

    /** Buffer size while the peer reads. The event loop's allocator keeps buffers of this size available. */
    private static final int USUAL = LoopAllocator.SMALL;
    /**
     * Minimum buffer size for a slow peer. The buffer is small, because queued small chunks must not occupy much more
     * memory than their size.
     */
    private static final int FRUGAL = 64;

    private static final int PENDING_LIMIT = 16 * 1024;

    private final ChannelHandlerContext ctx;
    private final WriteBufferWaterMark watermarks;
    private @Nullable ByteBuf pending;
    private boolean written;
    /** Whether all further data is discarded: the connection has closed, or memory for earlier data was refused. */
    private boolean released;

    /**
     * Creates an empty batch.
     *
     * @param ctx the context from which writes reach the socket through as few handlers as possible
     */
    public WriteBatch(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        this.watermarks = ctx.channel().config().getWriteBufferWaterMark();
    }

    /**
     * Returns a buffer with room for {@code bytes} bytes. The caller must write these bytes immediately. Calls {@link
     * #refuse} if no memory is left.
     */
    public ByteBuf room(int bytes) {
        return room(bytes, Unpooled.EMPTY_BUFFER);
    }

    /**
     * Returns a buffer like {@link #room(int)}. If no memory is left for the buffer, sends {@code last} before calling
     * {@link #refuse}.
     *
     * @param last unreleasable data that is sent if no memory is left for the buffer
     */
    ByteBuf room(int bytes, ByteBuf last) {
        if (released) {
            // A heap buffer, which needs no release.
            return Unpooled.buffer(bytes);
        }
        ByteBuf p = pending;
        if (p != null && !fits(p, bytes)) {
            pass();
            p = null;
        }
        if (p == null) {
            try {
                p = ctx.alloc().directBuffer(Math.max(bytes, waits() ? FRUGAL : USUAL));
            } catch (OutOfMemoryError refusal) {
                if (last.isReadable()) {
                    ctx.write(last.duplicate(), ctx.voidPromise());
                    written = true;
                }
                refuse(refusal);
                return Unpooled.buffer(bytes);
            }
            pending = p;
        }
        return p;
    }

    /**
     * Ends the connection, because no memory is left for data that the peer needs in order to read later data. Nothing
     * more is sent, and the channel's handlers receive {@code refusal} as an exception. The connection ends in a later
     * task, because the caller may be serving another connection.
     */
    public void refuse(OutOfMemoryError refusal) {
        release();
        ctx.channel().eventLoop().execute(() -> {
            flush();
            ctx.pipeline().fireExceptionCaught(refusal);
        });
    }

    /**
     * Returns whether {@code bytes} bytes fit into the buffer. A small buffer may grow to make room; a large buffer
     * does not grow and is sent instead.
     */
    private static boolean fits(ByteBuf p, int bytes) {
        return bytes <= p.writableBytes() || (p.capacity() < USUAL && p.readableBytes() + bytes <= PENDING_LIMIT);
    }

    /** Returns whether the peer has not yet read earlier writes. */
    private boolean waits() {
        ChannelOutboundBuffer before = ctx.channel().unsafe().outboundBuffer();
        return before == null || !before.isEmpty();
    }

    /** Writes {@code piece}, which the batch owns. A small piece is copied. */
    public void add(ByteBuf piece) {
        int length = piece.readableBytes();
        if (length <= COPY_LIMIT) {
            try {
                room(length).writeBytes(piece);
            } finally {
                piece.release();
            }
        } else if (released) {
            piece.release();
        } else {
            pass();
            Headroom.bound(ctx.channel().config(), watermarks);
            ctx.write(piece, ctx.voidPromise());
            written = true;
        }
    }

    /** Writes {@code piece}, which the batch owns. Its bytes stay in their pipe until the socket accepts them. */
    public void add(SplicedPiece piece) {
        if (released) {
            piece.release();
            return;
        }
        pass();
        piece.goTo(ctx.channel());
        ctx.write(piece, ctx.voidPromise());
        written = true;
    }

    private void pass() {
        ByteBuf p = pending;
        if (p != null) {
            pending = null;
            ctx.write(p, ctx.voidPromise());
            written = true;
        }
    }

    /** Sends the data that was added since the last flush. */
    public void flush() {
        pass();
        if (written) {
            written = false;
            ctx.flush();
        }
    }

    /** Releases unsent data and discards all further data; call when the connection is closed. */
    public void release() {
        released = true;
        ByteBuf p = pending;
        if (p != null) {
            pending = null;
            p.release();
        }
    }
}
