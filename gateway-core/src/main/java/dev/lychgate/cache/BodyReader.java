package dev.lychgate.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a range of a stored body once. It owns one reference to the body until {@link #close}. Used on one event loop.
 */
public final class BodyReader implements AutoCloseable {
    private final StoredBody body;
    private final long end;
    private long at;
    private boolean closed;

    /** @param body a body with a reference that is owned here */
    BodyReader(StoredBody body, long from, long length) {
        this.body = body;
        this.at = from;
        this.end = from + length;
    }

    /** Returns the number of bytes that have not been read. */
    public int remaining() {
        return (int) (end - at);
    }

    /** Returns whether bytes remain. */
    public boolean hasNext() {
        return !closed && at < end;
    }

    /** Returns the next bytes, at most 64 KiB. The caller owns the buffer and must not change its content. */
    public ByteBuf next() {
        ByteBuf slice = body.slice(at, end - at);
        at += slice.readableBytes();
        return slice;
    }

    /** Returns all remaining bytes in one read-only buffer, which the caller owns. */
    public ByteBuf all() {
        List<ByteBuf> slices = new ArrayList<>();
        while (hasNext()) {
            slices.add(next());
        }
        return slices.isEmpty()
                ? Unpooled.EMPTY_BUFFER
                : Unpooled.wrappedBuffer(slices.size(), slices.toArray(ByteBuf[]::new))
                        .asReadOnly();
    }

    /** Releases the reference. May be called more than once. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            body.release();
        }
    }
}
