package dev.lychgate.server.recording;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The layout of recordings, see {@code docs/record-and-replay.md}: a header, blocks of compressed lines of JSON, and an
 * end mark. All numbers are big-endian.
 */
final class RecordingFormat {
    static final byte[] MAGIC = "LYCHREC\n".getBytes(StandardCharsets.US_ASCII);
    static final short VERSION = 1;

    /** The file name of a recording's older part ends with this suffix. */
    static final String OLDER = ".1";

    /** The flag in the file header that is set if the blocks are encrypted. */
    static final short ENCRYPTED = 1;

    /** The length in bytes of the random id of a file. The id is part of the authenticated data of each block. */
    static final int ID = 16;

    static final int HEADER = MAGIC.length + 2 + 2 + ID;

    /** The first bytes of a block. A reader detects a damaged length if other bytes are at this place. */
    static final int BLOCK = 0x4c424c4b;

    /**
     * The first bytes of the end mark, which follows the last block and has no lines. The next block replaces the end
     * mark.
     */
    static final int END = 0x4c454e44;

    /** The maximum number of stored bytes in an end mark, which are a nonce and a tag. */
    static final int LONGEST_END = 28;

    /**
     * The length in bytes of a block's header: marker, stored length, length of the lines, checksum of the stored
     * bytes, and checksum of these four numbers.
     */
    static final int BLOCK_HEADER = 20;

    /** The number of bytes of a block's header that the last checksum covers. */
    static final int CHECKED = 16;

    /** The maximum number of lines in a block. */
    static final int MOST_EXCHANGES = 16_384;

    /** The maximum number of bytes of the lines in a block, and therefore of one exchange. */
    static final int MOST_LINES = 32 << 20;

    /**
     * The maximum number of stored bytes in a block. It is sufficient for incompressible lines with a nonce and a tag.
     */
    static final int MOST_STORED = MOST_LINES + (MOST_LINES >> 8) + 1024;

    /** The maximum number of bytes to which one stored byte may expand, which is the limit of Deflate. */
    static final int MOST_RATIO = 1032;

    private RecordingFormat() {}

    /**
     * Returns a block or an end mark.
     *
     * @param lines the length of the lines in the block, in bytes, before compression
     */
    static byte[] block(int marker, byte[] stored, int lines) {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_HEADER + stored.length)
                .putInt(marker)
                .putInt(stored.length)
                .putInt(lines)
                .putInt(checksum(stored, stored.length));
        return block.putInt(checksum(block.array(), CHECKED)).put(stored).array();
    }

    static int checksum(byte[] bytes, int count) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, count);
        return (int) sum.getValue();
    }
}
