package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * The body bytes for {@code ?length=N}. The bytes are always the same, so that a receiver can check that all of them
 * arrived in order. The bytes repeat a block of pseudo-random bytes. The length of the block is a prime. No buffer size
 * is a multiple of this length, so swapped, repeated or dropped buffers change the checksum.
 */
final class DemoContent {
    static final int BLOCK = 65_521;
    /** Several blocks, for one write to a socket. The buffer is never modified or released. */
    private static final ByteBuf BLOCKS = Unpooled.unreleasableBuffer(blocks(4));

    private DemoContent() {}

    /**
     * Returns a buffer with the next bytes from {@code offset}, at most {@code most}. The buffer may contain fewer
     * bytes, and must not be modified or released.
     */
    static ByteBuf from(long offset, long most) {
        int from = (int) (offset % BLOCK);
        return BLOCKS.slice(from, (int) Math.min(BLOCKS.capacity() - from, most));
    }

    private static ByteBuf blocks(int count) {
        byte[] block = new byte[BLOCK];
        int x = 0x2545F491; // xorshift32, any seed but 0
        for (int i = 0; i < BLOCK; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            block[i] = (byte) x;
        }
        ByteBuf blocks = Unpooled.directBuffer(count * BLOCK, count * BLOCK);
        for (int i = 0; i < count; i++) {
            blocks.writeBytes(block);
        }
        return blocks;
    }
}
