package dev.lychgate.filters.coding;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Codes as {@code zstd}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8878">RFC 8878 Zstandard</a>
 */
final class ZstdEncoder implements Encoder {
    private static final byte[] NOTHING = {};

    private final ByteArrayOutputStream output = new ByteArrayOutputStream(512);
    private final ZstdOutputStreamNoFinalizer stream;
    private boolean unflushed;

    /** @param windowBits of how many bytes back it finds what has been before, as a power of two */
    ZstdEncoder(int level, int windowBits) {
        try {
            this.stream = new ZstdOutputStreamNoFinalizer(output, level).setWindowLog(windowBits);
        } catch (IOException e) {
            throw new UncheckedIOException("there is no memory for a Zstandard encoder", e);
        }
    }

    @Override
    public byte[] encode(byte[] piece) {
        try {
            stream.write(piece, 0, piece.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unflushed = true;
        return take();
    }

    @Override
    public byte[] flush() {
        if (!unflushed) {
            return NOTHING;
        }
        unflushed = false;
        try {
            stream.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return take();
    }

    @Override
    public byte[] finish() {
        close();
        return take();
    }

    private byte[] take() {
        byte[] all = output.toByteArray();
        output.reset();
        return all;
    }

    /** Ends the frame, too: what comes of that is nobody's any more. */
    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
