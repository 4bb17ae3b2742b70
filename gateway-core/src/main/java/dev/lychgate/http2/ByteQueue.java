package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;

/**
 * Bytes that wait, in order. Takes over what it is given, and gives away what is taken. Small pieces are put together: a
 * peer who sends his bytes one by one gets no buffer for each, and keeps no large one from being used again for the sake of
 * a byte. What is kept for long is copied whatever its size, for it may be a slice of a buffer that is much larger.
 */
final class ByteQueue {
    private static final int SMALL = 512;
    private static final int TOGETHER = 4096;

    private final ByteBufAllocator allocator;
    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(4);
    private int bytes;
    /** Whether the last piece is one of ours, which may be written to. */
    private boolean open;

    ByteQueue(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Adds {@code piece} to be taken soon: it is copied only if something waits already, and memory is left for the copy. */
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
            // The caller serves another connection, which is not to fail by this one.
            append(piece);
        }
    }

    private void append(ByteBuf piece) {
        pieces.addLast(piece);
        open = false;
        bytes += piece.readableBytes();
    }

    /** Adds {@code piece} to be kept for some time: what is kept takes twice its size at most, and a small buffer. */
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

    /** The next bytes, at most {@code most} and at least one; the caller's to release. Not to be asked if it is empty. */
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

    /** Lets go of everything. @return how many bytes that were */
    int clear() {
        int dropped = bytes;
        bytes = 0;
        for (ByteBuf piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            piece.release();
        }
        return dropped;
    }
}
