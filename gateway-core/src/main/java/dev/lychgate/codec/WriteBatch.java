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
 * What waits to be sent on one connection until the next flush: small things put together in one buffer, large ones
 * passed on as they are. Owned by one connection and used on its event loop.
 */
public final class WriteBatch {
    /** Up to this size copying is cheaper than one more buffer in the queue. */
    public static final int COPY_LIMIT = 4096;

    /** What waits together while the peer takes what it is sent: as much as a loop has at hand. */
    private static final int USUAL = LoopAllocator.SMALL;
    /** What a peer is given that lets us wait: many small pieces must not hold much more than they are. */
    private static final int FRUGAL = 64;

    private static final int PENDING_LIMIT = 16 * 1024;

    private final ChannelHandlerContext ctx;
    private final WriteBufferWaterMark watermarks;
    private @Nullable ByteBuf pending;
    private boolean written;
    /** There is nobody left to write to, or no memory was left for what precedes the rest: all that is added is discarded. */
    private boolean released;

    /** @param ctx the context from which writes reach the socket without passing another handler than they must */
    public WriteBatch(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        this.watermarks = ctx.channel().config().getWriteBufferWaterMark();
    }

    /** A buffer to be written to at once, with room for {@code bytes} more. If no memory is left, the batch {@linkplain #refuse ends}. */
    public ByteBuf room(int bytes) {
        return room(bytes, Unpooled.EMPTY_BUFFER);
    }

    /** As {@link #room(int)}. @param last is sent if no memory is left for what the room is for; it needs no release */
    ByteBuf room(int bytes, ByteBuf last) {
        if (released) {
            // Nobody would let go of it any more, so it is one that needs nobody to.
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
     * No memory is left for bytes without which the peer can't read those behind them. Nothing more is sent, and the channel's
     * handlers get {@code refusal} as an exception, which ends the connection. Not at once: the caller may be a part of the
     * gateway that serves another connection.
     */
    public void refuse(OutOfMemoryError refusal) {
        release();
        ctx.channel().eventLoop().execute(() -> {
            flush();
            ctx.pipeline().fireExceptionCaught(refusal);
        });
    }

    /** One that is large already is sent as it is, rather than copied into a larger one. */
    private static boolean fits(ByteBuf p, int bytes) {
        return bytes <= p.writableBytes() || (p.capacity() < USUAL && p.readableBytes() + bytes <= PENDING_LIMIT);
    }

    /** Whether the peer has not yet taken what was sent to it before. */
    private boolean waits() {
        ChannelOutboundBuffer before = ctx.channel().unsafe().outboundBuffer();
        return before == null || !before.isEmpty();
    }

    /** Takes over {@code piece}: copied if it is small, else as it is. */
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

    /** Takes over {@code piece}, which stays where it is until the socket takes it. */
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

    /** Sends what has been added since the last flush. */
    public void flush() {
        pass();
        if (written) {
            written = false;
            ctx.flush();
        }
    }

    /** Lets go of what has not been passed on, and of all that is added later; call when the connection is gone. */
    public void release() {
        released = true;
        ByteBuf p = pending;
        if (p != null) {
            pending = null;
            p.release();
        }
    }
}
