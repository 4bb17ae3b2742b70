package dev.lychgate.exchange.call;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** Bytes that arrive in chunks. Every growth needs memory from a budget. On one event loop. */
final class GrowingBytes {
    private static final int FIRST = 512;
    private static final byte[] NONE = {};

    private final IntPredicate budget;
    private final int limit;
    private byte[] bytes = NONE;
    private int length;

    /** @param budget reserves a total number of bytes @param limit most bytes */
    GrowingBytes(IntPredicate budget, int limit) {
        this.budget = budget;
        this.limit = limit;
    }

    int length() {
        return length;
    }

    /** Returns the bytes that are reserved. */
    int capacity() {
        return bytes.length;
    }

    /** Returns whether {@code all} bytes are within the limit. */
    boolean fits(long all) {
        return all <= limit;
    }

    /** Makes room for {@code all} bytes, within the limit. @return false if the budget refuses them */
    boolean reserve(int all) {
        int size = Math.max(all, bytes.length);
        boolean reserved = budget.test(size);
        if (reserved && size > bytes.length) {
            bytes = Arrays.copyOf(bytes, size);
        }
        return reserved;
    }

    /** Appends a copy of {@code chunk}, which must fit and remains unchanged. @return false if the budget refuses the bytes */
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

    /** Returns all bytes; no more may be added. */
    byte[] toArray() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** Drops the bytes and returns them to the budget, which does not refuse that. */
    void release() {
        clear();
        reserve(0);
    }

    /** Drops the bytes, without returning them to the budget. */
    void clear() {
        bytes = NONE;
        length = 0;
    }
}
