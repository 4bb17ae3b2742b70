package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;

/**
 * FIFO queue of bytes. The queue owns added buffers; the caller owns removed buffers. The queue merges small chunks.
 * Without merging, a peer that sends single bytes would occupy one buffer, possibly a large one, for each byte. Chunks
 * that stay in the queue for some time are always copied, because they may be slices of much larger buffers.
 */
final class ByteQueue {
    private static final int SMALL = 512;
    private static final int TOGETHER = 4096;

    private final ByteBufAllocator allocator;
    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(4);
    private int bytes;
    /** True if the last buffer was allocated here and is writable. */
    private boolean open;

    ByteQueue(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * Adds a chunk that the caller will soon remove. A small chunk is copied if the queue is not empty and memory is
     * left.
     */
    void add(ByteBuf piece) {
        int length = piece.readableBytes();
        if (length > SMALL || (length > 0 && pieces.isEmpty())) {
            append(piece);
            return;
        }
        piece.retain();
        try {
            keep(piece);
            piece.release();
        } catch (OutOfMemoryError refusal) {
            // The caller may be serving another connection, which must not fail because this connection lacks memory.
            append(piece);
        }
    }

    private void append(ByteBuf piece) {
        pieces.addLast(piece);
        open = false;
        bytes += piece.readableBytes();
    }

    /**
     * Adds a copy of a chunk that stays in the queue for some time. The copy uses at most twice the size of the chunk,
     * plus one small buffer.
     */
    void keep(ByteBuf piece) {
        int length = piece.readableBytes();
        try {
            if (length > 0) {
                writable(length).writeBytes(piece);
            }
        } finally {
            piece.release();
        }
        bytes += length;
    }

    private ByteBuf writable(int length) {
        ByteBuf last = pieces.peekLast();
        if (open && last != null && last.isWritable(length)) {
            return last;
        }
        int capacity = Math.max(TOGETHER, length);
        ByteBuf own = allocator.directBuffer(capacity, capacity);
        pieces.addLast(own);
        open = true;
        return own;
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    int bytes() {
        return bytes;
    }

    /**
     * Removes and returns the next bytes, at least one and at most {@code most}. The caller owns the buffer. The queue
     * must not be empty.
     */
    ByteBuf take(int most) {
        ByteBuf first = pieces.getFirst();
        if (first.readableBytes() <= most) {
            pieces.removeFirst();
            bytes -= first.readableBytes();
            return first;
        }
        bytes -= most;
        return first.readRetainedSlice(most);
    }

    /**
     * Releases all buffers.
     *
     * @return the number of dropped bytes
     */
    int clear() {
        int dropped = bytes;
        bytes = 0;
        for (ByteBuf piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            piece.release();
        }
        return dropped;
    }
}
