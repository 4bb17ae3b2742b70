package dev.lychgate.filters.coding;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Undoes {@code br}. A window has at most 16 MiB, by the format: large windows, which are no part of it, are not taken.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7932#section-9.1">RFC 7932, 9.1 Format of the Stream Header</a>
 */
final class BrotliDecoder implements Decoder {
    private final DecoderJNI.Wrapper decoder;
    private byte[] input = {};
    private int at;
    /** A part of the decoder's own memory; gone with its next call. */
    private @Nullable ByteBuffer output;

    private boolean closed;

    BrotliDecoder() {
        try {
            this.decoder = new DecoderJNI.Wrapper(8 * 1024);
        } catch (IOException e) {
            throw new UncheckedIOException("there is no memory for a Brotli decoder", e);
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
                output = decoder.pull();
                continue;
            }
            switch (decoder.getStatus()) {
                case DONE -> {
                    if (at < input.length) {
                        throw new CodingException("bytes behind its end");
                    }
                    return 0;
                }
                case NEEDS_MORE_INPUT -> {
                    if (at == input.length) {
                        return 0;
                    }
                    push();
                }
                case OK, NEEDS_MORE_OUTPUT -> decoder.push(0);
                case ERROR -> throw new CodingException("no Brotli data, or bytes behind its end");
            }
        }
    }

    private void push() {
        ByteBuffer room = decoder.getInputBuffer();
        room.clear();
        int n = Math.min(room.remaining(), input.length - at);
        room.put(input, at, n);
        at += n;
        decoder.push(n);
    }

    @Override
    public void end() {
        if (decoder.getStatus() != DecoderJNI.Status.DONE) {
            throw new CodingException("no end");
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
