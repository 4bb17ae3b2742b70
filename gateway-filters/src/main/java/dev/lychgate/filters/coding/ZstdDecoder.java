package dev.lychgate.filters.coding;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Decodes the coding {@code zstd}, which consists of one or more frames. The window of a frame may have at most 8 MiB.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9659">RFC 9659 Window Sizing for Zstandard Content Encoding</a>
 */
final class ZstdDecoder implements Decoder {
    /** The binary logarithm of the maximum window size, which is 8 MiB. */
    private static final int WIDEST_WINDOW = 23;
    /** The memory of the decoder and of its buffers for one block, in bytes. */
    private static final long STATE = 384 << 10;

    private final Input input = new Input();
    private final ZstdInputStreamNoFinalizer stream;
    private long decoded;

    ZstdDecoder() {
        try {
            // In continuous mode, the library does not treat a lack of input as the end of the body.
            this.stream =
                    new ZstdInputStreamNoFinalizer(input).setContinuous(true).setLongMax(WIDEST_WINDOW);
        } catch (IOException e) {
            throw new UncheckedIOException("no memory is available for a Zstandard decoder", e);
        }
    }

    @Override
    public void feed(byte[] piece) {
        input.bytes = piece;
        input.at = 0;
    }

    @Override
    public int decode(byte[] into) {
        try {
            int n = Math.max(0, stream.read(into, 0, into.length));
            decoded += n;
            return n;
        } catch (IOException e) {
            throw new CodingException("malformed Zstandard data or a window of more than 8 MiB");
        }
    }

    @Override
    public void end() {
        stream.setContinuous(false);
        try {
            if (stream.read(new byte[1], 0, 1) >= 0) {
                throw new IllegalStateException("the data was not decoded to its end");
            }
        } catch (IOException e) {
            throw new CodingException("truncated data");
        }
    }

    /**
     * Returns an estimate of the memory, in bytes. Only the filled part of the window is counted, because the rest of
     * the window uses no memory.
     */
    @Override
    public long memory() {
        return STATE + Math.min(decoded, 1L << WIDEST_WINDOW);
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes that were passed to the decoder and that the library has not read yet. */
    private static final class Input extends InputStream {
        private byte[] bytes = {};
        private int at;

        @Override
        public int read() {
            return at < bytes.length ? bytes[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int from, int length) {
            int n = Math.min(length, available());
            if (n == 0) {
                return -1;
            }
            System.arraycopy(bytes, at, into, from, n);
            at += n;
            return n;
        }

        @Override
        public int available() {
            return bytes.length - at;
        }
    }
}
