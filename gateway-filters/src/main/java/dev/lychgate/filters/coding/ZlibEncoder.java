package dev.lychgate.filters.coding;

import java.io.ByteArrayOutputStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Codes as {@code gzip} or {@code deflate}. The window is 32 KiB, by the format; one body takes some 256 KiB.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952">RFC 1952 GZIP</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1950">RFC 1950 ZLIB</a>
 */
final class ZlibEncoder implements Encoder {
    /** No name, no time, an unknown system: the same body gives the same bytes wherever it is coded. */
    private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private static final byte[] NOTHING = {};

    private final boolean gzip;
    private final Deflater deflater;
    private final CRC32 checksum = new CRC32();
    private final byte[] room = new byte[8 * 1024];
    private boolean begun;
    private boolean unflushed;

    /** @param gzip whether with the frame of gzip; else with that of zlib, which HTTP calls deflate */
    ZlibEncoder(boolean gzip, int level) {
        this.gzip = gzip;
        this.deflater = new Deflater(level, gzip);
    }

    @Override
    public byte[] encode(byte[] piece) {
        deflater.setInput(piece);
        if (gzip) {
            checksum.update(piece);
        }
        unflushed = true;
        return deflate(Deflater.NO_FLUSH);
    }

    @Override
    public byte[] flush() {
        if (!unflushed) {
            return NOTHING;
        }
        unflushed = false;
        return deflate(Deflater.SYNC_FLUSH);
    }

    @Override
    public byte[] finish() {
        deflater.finish();
        return deflate(Deflater.NO_FLUSH);
    }

    private byte[] deflate(int mode) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        if (gzip && !begun) {
            out.writeBytes(GZIP_HEADER);
        }
        begun = true;
        int n = room.length;
        while (n == room.length) {
            n = deflater.deflate(room, 0, room.length, mode);
            out.write(room, 0, n);
        }
        if (gzip && deflater.finished()) {
            littleEndian(out, checksum.getValue());
            littleEndian(out, deflater.getBytesRead());
        }
        return out.toByteArray();
    }

    private static void littleEndian(ByteArrayOutputStream out, long value) {
        for (int shift = 0; shift < 32; shift += 8) {
            out.write((int) (value >>> shift));
        }
    }

    @Override
    public void close() {
        deflater.end();
    }
}
