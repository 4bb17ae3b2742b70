package dev.lychgate.cache;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of a stored response, in pooled buffers that never change. The store has one reference to the body, and each
 * exchange that sends the body has another reference until the exchange ends. The last release returns the memory.
 * Exchanges receive slices of at most {@link #CHUNK} bytes, and each slice refers to one buffer. Therefore, a slice in
 * the write buffer of a slow client keeps no other buffer in memory. Thread-safe.
 */
final class StoredBody {
    /** The maximum size of a buffer of a body, in bytes. */
    static final int CHUNK = 64 << 10;

    private final ByteBuf[] chunks;
    private final long length;
    private final long bytes;
    private final CacheMemory memory;
    private final AtomicInteger references = new AtomicInteger(1);

    /**
     * Creates a body with one reference, which the caller owns.
     *
     * @param chunks the buffers, which the body owns. Each buffer except the last contains {@link #CHUNK} bytes
     * @param bytes the number of bytes that have been reserved in {@code memory}
     */
    StoredBody(List<ByteBuf> chunks, long bytes, CacheMemory memory) {
        this.chunks = chunks.toArray(ByteBuf[]::new);
        this.bytes = bytes;
        this.memory = memory;
        long sum = 0;
        for (ByteBuf chunk : this.chunks) {
            sum += chunk.readableBytes();
        }
        this.length = sum;
    }

    /** Returns the length of the body, in bytes. */
    long length() {
        return length;
    }

    /** Returns the memory that the body uses, in bytes. */
    long bytes() {
        return bytes;
    }

    /** Adds a reference to the body. Returns false if the body has already been released. */
    boolean tryRetain() {
        int before = references.get();
        while (before > 0) {
            if (references.compareAndSet(before, before + 1)) {
                return true;
            }
            before = references.get();
        }
        return false;
    }

    /** Releases one reference to the body. */
    void release() {
        int left = references.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("a stored body was released twice");
        }
        if (left == 0) {
            for (ByteBuf chunk : chunks) {
                chunk.release();
            }
            memory.give(bytes);
        }
    }

    /**
     * Returns a slice of the body, which the caller owns. A slice refers to one buffer, so it may be shorter than
     * {@code most}.
     *
     * @param from the position of the first byte
     * @param most the maximum number of bytes
     */
    ByteBuf slice(long from, long most) {
        ByteBuf chunk = chunks[(int) (from / CHUNK)];
        int at = (int) (from % CHUNK);
        int count = (int) Math.min(most, chunk.readableBytes() - at);
        return count == 0 ? Unpooled.EMPTY_BUFFER : chunk.retainedSlice(chunk.readerIndex() + at, count);
    }
}
