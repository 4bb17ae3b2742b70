package dev.lychgate.exchange.call;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** Collects bytes that arrive in chunks. Each growth reserves memory from a budget. Used on one event loop. */
final class GrowingBytes {
    private static final int FIRST = 512;
    private static final byte[] NONE = {};

    private final IntPredicate budget;
    private final int limit;
    private byte[] bytes = NONE;
    private int length;

    /**
     * Creates an empty collection.
     *
     * @param budget sets the total number of reserved bytes; returns false if the budget has no room
     * @param limit the maximum number of bytes
     */
    GrowingBytes(IntPredicate budget, int limit) {
        this.budget = budget;
        this.limit = limit;
    }

    int length() {
        return length;
    }

    /** Returns the number of bytes that are reserved. */
    int capacity() {
        return bytes.length;
    }

    /** Returns whether {@code all} bytes are within the limit. */
    boolean fits(long all) {
        return all <= limit;
    }

    /**
     * Reserves memory for {@code all} bytes, which must be within the limit.
     *
     * @return false if the budget has no room
     */
    boolean reserve(int all) {
        int size = Math.max(all, bytes.length);
        boolean reserved = budget.test(size);
        if (reserved && size > bytes.length) {
            bytes = Arrays.copyOf(bytes, size);
        }
        return reserved;
    }

    /**
     * Appends the bytes of {@code chunk}, which must be within the limit. The chunk remains unchanged.
     *
     * @return false if the budget has no room
     */
    boolean add(ByteBuf chunk) {
        int more = chunk.readableBytes();
        if (length + more > bytes.length && !reserve(grown(length + more))) {
            return false;
        }
        chunk.getBytes(chunk.readerIndex(), bytes, length, more);
        length += more;
        return true;
    }

    private int grown(int needed) {
        return (int) Math.min(limit, Math.max(needed, Math.max(FIRST, 2L * bytes.length)));
    }

    /** Returns all bytes. No bytes may be added after this call. */
    byte[] toArray() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** Drops the bytes and releases their memory in the budget. */
    void release() {
        clear();
        reserve(0);
    }

    /** Drops the bytes without releasing their memory in the budget. */
    void clear() {
        bytes = NONE;
        length = 0;
    }
}
