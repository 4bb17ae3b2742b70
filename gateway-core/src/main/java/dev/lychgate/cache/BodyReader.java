package dev.lychgate.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a range of a stored body, from its start to its end. Owns one reference to the body until {@link #close} is
 * called. Used on one event loop.
 */
public final class BodyReader implements AutoCloseable {
    private final StoredBody body;
    private final long end;
    private long at;
    private boolean closed;

    /**
     * Creates a reader of a range of a stored body.
     *
     * @param body a body with a reference, which this reader releases
     */
    BodyReader(StoredBody body, long from, long length) {
        this.body = body;
        this.at = from;
        this.end = from + length;
    }

    /** Returns the number of bytes that have not been read. */
    public int remaining() {
        return (int) (end - at);
    }

    /** Returns whether there are bytes that have not been read. */
    public boolean hasNext() {
        return !closed && at < end;
    }

    /** Returns the next bytes, at most 64 KiB. The caller owns the buffer and must not change its content. */
    public ByteBuf next() {
        ByteBuf slice = body.slice(at, end - at);
        at += slice.readableBytes();
        return slice;
    }

    /**
     * Returns all remaining bytes in one read-only buffer, which the caller owns. This reader's reference to the body
     * passes to the buffer. Therefore, the memory of the body counts as memory of the cache until the buffer is
     * released.
     */
    public ByteBuf all() {
        List<ByteBuf> slices = new ArrayList<>();
        while (hasNext()) {
            slices.add(next());
        }
        if (slices.isEmpty()) {
            close();
            return Unpooled.EMPTY_BUFFER;
        }
        closed = true;
        return new WholeBody(body, slices).asReadOnly();
    }

    /** Releases the reference to the body. May be called more than once. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            body.release();
        }
    }

    /** The bytes of a stored body as one buffer, which owns one reference to the body. */
    private static final class WholeBody extends CompositeByteBuf {
        private final StoredBody body;

        WholeBody(StoredBody body, List<ByteBuf> slices) {
            super(UnpooledByteBufAllocator.DEFAULT, true, Math.max(16, slices.size()), slices.toArray(ByteBuf[]::new));
            this.body = body;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            body.release();
        }
    }
}
