package dev.lychgate.server.recording;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A copy of the beginning of a body that the gateway forwards. Used on the exchange's event loop, and afterwards on the
 * writer's thread.
 */
final class BodyCopy {
    private static final int FIRST = 1024;

    private final int limit;
    private byte[] bytes = {};
    private int length;
    private long size;

    /** @param limit the maximum number of bytes to copy */
    BodyCopy(int limit) {
        this.limit = limit;
    }

    /**
     * Copies as much of the chunk as the limit permits.
     *
     * @param take reserves bytes of memory; if it returns false, nothing is copied
     */
    void add(ByteBuf chunk, IntPredicate take) {
        int wanted = Math.min(chunk.readableBytes(), limit - length);
        size += chunk.readableBytes();
        if (wanted > 0 && hasRoom(wanted, take)) {
            chunk.getBytes(chunk.readerIndex(), bytes, length, wanted);
            length += wanted;
        }
    }

    private boolean hasRoom(int more, IntPredicate take) {
        if (length + more <= bytes.length) {
            return true;
        }
        int larger = Math.min(limit, Math.max(length + more, Math.max(FIRST, 2 * bytes.length)));
        if (!take.test(larger - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, larger);
        return true;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    /** Returns the length in bytes of the whole body, including the bytes that were not copied. */
    long size() {
        return size;
    }
}
