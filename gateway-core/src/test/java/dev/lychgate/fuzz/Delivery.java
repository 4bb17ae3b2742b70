package dev.lychgate.fuzz;

import java.util.Arrays;

/**
 * Bytes and their chunks. A case begins with two bytes that select its mode; the following bytes are sent unchanged. The lowest
 * three bits of the first byte choose the chunks, and each conversation interprets the others.
 */
final class Delivery {
    private static final int[] SIZES = {Integer.MAX_VALUE, 1, 2, 3, 7, 16, 61, 0};

    private final int size;
    private final byte[] bytes;
    private int random;
    private int at;

    private Delivery(byte[] fuzzCase) {
        size = SIZES[fuzzCase[0] & 7];
        random = fuzzCase[1] * 31 + 7;
        bytes = Arrays.copyOfRange(fuzzCase, 2, fuzzCase.length);
    }

    static Delivery of(byte[] fuzzCase) {
        return new Delivery(fuzzCase);
    }

    byte[] bytes() {
        return bytes;
    }

    boolean isOver() {
        return at == bytes.length;
    }

    /** Sends the next chunk. */
    void sendTo(MemoryChannel channel) {
        int length = Math.min(size > 0 ? size : randomSize(), bytes.length - at);
        int from = at;
        at += length;
        channel.arrive(bytes, from, length);
    }

    private int randomSize() {
        random = random * 1_103_515_245 + 12_345;
        int bits = random >>> 16;
        return 1 + (bits & 31) % (1 + (bits >>> 5 & 31));
    }
}
