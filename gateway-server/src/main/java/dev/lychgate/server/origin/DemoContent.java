package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The bytes that {@code ?length=N} sends: always the same, so that whoever receives them can tell whether they arrived
 * whole and in order. One block of random-looking bytes, over and over. The block's length is a prime, so no buffer size
 * divides it: buffers swapped, repeated or dropped on the way change the checksum.
 */
public final class DemoContent {
    static final int BLOCK = 65_521;

    private static final byte[] BYTES = block();
    /** Several blocks for each write to a socket; never changed or freed. */
    private static final ByteBuf BLOCKS = Unpooled.unreleasableBuffer(blocks(4));

    private DemoContent() {}

    /** The byte at an offset from the beginning. */
    public static byte at(long offset) {
        return BYTES[(int) (offset % BLOCK)];
    }

    /** The SHA-256 of the first {@code length} bytes, in hex. */
    public static String sha256(long length) {
        MessageDigest digest = newSha256();
        for (long left = length; left > 0; left -= BLOCK) {
            digest.update(BYTES, 0, (int) Math.min(BLOCK, left));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Returns the bytes from {@code offset} on: some blocks, at most {@code most} bytes. Not to be released or changed. */
    static ByteBuf from(long offset, long most) {
        int from = (int) (offset % BLOCK);
        return BLOCKS.slice(from, (int) Math.min(BLOCKS.capacity() - from, most));
    }

    private static ByteBuf blocks(int count) {
        ByteBuf blocks = Unpooled.directBuffer(count * BLOCK, count * BLOCK);
        for (int i = 0; i < count; i++) {
            blocks.writeBytes(BYTES);
        }
        return blocks;
    }

    private static byte[] block() {
        byte[] bytes = new byte[BLOCK];
        int x = 0x2545F491; // xorshift32, any seed but 0
        for (int i = 0; i < BLOCK; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            bytes[i] = (byte) x;
        }
        return bytes;
    }
}
