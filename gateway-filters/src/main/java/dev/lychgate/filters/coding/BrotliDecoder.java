package dev.lychgate.filters.coding;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the coding {@code br}. The format limits windows to 16 MiB. The extension for larger windows is not
 * supported.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7932#section-9.1">RFC 7932, 9.1 Format of the Stream Header</a>
 */
final class BrotliDecoder implements Decoder {
    private static final int LARGEST_PUSH = 8 << 10;
    private static final int SMALLEST_PUSH = 64;
    /**
     * If one call of the library yields more output than this number of bytes, later calls get less input. The smaller
     * input limits the memory, because the library decodes the whole input of a call into its window.
     */
    private static final int MUCH = 64 << 10;
    /** The memory of the decoder without its code tables, in bytes. */
    private static final long STATE = 64 << 10;
    /**
     * The estimated memory of the code tables per received byte, in bytes. For large bodies, the estimate is limited to
     * the measured size of the tables. The tables of a maliciously crafted body may need several times as much memory.
     */
    private static final int TABLES_PER_BYTE = 64;

    private static final long MOST_TABLES = 1 << 20;

    private final DecoderJNI.Wrapper decoder;
    private byte[] input = {};
    private int at;
    private int push = 1024;
    /** The number of received bytes, and the number of decoded bytes. */
    private long received;

    private long decoded;
    private int windowBits = 16;
    /** A view of the library's memory. It becomes invalid with the next call of the library. */
    private @Nullable ByteBuffer output;

    /**
     * Whether output has been read since the last input. If output has been read, the library is called again even
     * without input, because the end of the body may be in bits that the library has already read.
     */
    private boolean pulled;

    private boolean closed;

    BrotliDecoder() {
        try {
            this.decoder = new DecoderJNI.Wrapper(LARGEST_PUSH);
        } catch (IOException e) {
            throw new UncheckedIOException("no memory is available for a Brotli decoder", e);
        }
    }

    @Override
    public void feed(byte[] piece) {
        input = piece;
        at = 0;
    }

    @Override
    public int decode(byte[] into) {
        while (true) {
            ByteBuffer waiting = output;
            if (waiting != null && waiting.hasRemaining()) {
                int n = Math.min(into.length, waiting.remaining());
                waiting.get(into, 0, n);
                return n;
            }
            output = null;
            if (decoder.hasOutput()) {
                output = pulled(decoder.pull());
                continue;
            }
            switch (decoder.getStatus()) {
                case DONE -> {
                    if (at < input.length) {
                        throw new CodingException("trailing bytes");
                    }
                    return 0;
                }
                case NEEDS_MORE_INPUT -> {
                    if (at == input.length && !pulled) {
                        return 0;
                    }
                    push();
                }
                case OK, NEEDS_MORE_OUTPUT -> decoder.push(0);
                case ERROR -> throw new CodingException("malformed Brotli data or trailing bytes");
            }
        }
    }

    private void push() {
        ByteBuffer room = decoder.getInputBuffer();
        room.clear();
        int n = Math.min(push, input.length - at);
        if (received == 0 && n > 0) {
            windowBits = windowBits(input[at]);
        }
        room.put(input, at, n);
        at += n;
        received += n;
        push = Math.min(2 * push, LARGEST_PUSH);
        pulled = false;
        decoder.push(n);
    }

    private ByteBuffer pulled(ByteBuffer decodedNow) {
        pulled = true;
        decoded += decodedNow.remaining();
        if (decodedNow.remaining() > MUCH) {
            push = Math.max(push / 8, SMALLEST_PUSH);
        }
        return decodedNow;
    }

    /**
     * Returns the binary logarithm of the window size. {@code first} is the first byte of a stream, which contains the
     * window size.
     */
    private static int windowBits(byte first) {
        int large = first >> 1 & 7;
        int small = first >> 4 & 7;
        if ((first & 1) == 0) {
            return 16;
        }
        return large > 0 ? 17 + large : small > 0 ? 8 + small : 17;
    }

    /**
     * Returns an estimate of the memory, in bytes. Only the filled part of the window is counted, because the rest of
     * the window uses no memory.
     */
    @Override
    public long memory() {
        return STATE + Math.min(received * TABLES_PER_BYTE, MOST_TABLES) + Math.min(decoded, 1L << windowBits);
    }

    @Override
    public void end() {
        if (decoder.getStatus() != DecoderJNI.Status.DONE) {
            throw new CodingException("truncated data");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            decoder.destroy();
        }
    }
}
