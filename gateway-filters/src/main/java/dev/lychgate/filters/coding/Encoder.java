package dev.lychgate.filters.coding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Encodes one body chunk by chunk. An output stream of the JDK or of a library encodes the chunks and writes the result
 * into memory. Uses memory outside the heap until it is closed. Not thread-safe.
 */
public final class Encoder {
    private static final byte[] NOTHING = {};

    private final ByteArrayOutputStream output = new ByteArrayOutputStream(512);
    private final OutputStream stream;
    private boolean unflushed;

    /** Opens streams that encode their input. */
    interface Opener {
        /**
         * Opens the stream.
         *
         * @param to receives the encoded bytes; after a flush, it has received all bytes that are needed to decode the
         *     input so far
         */
        OutputStream open(OutputStream to) throws IOException;
    }

    private interface Step {
        void run() throws IOException;
    }

    Encoder(Opener opener) {
        try {
            this.stream = opener.open(output);
        } catch (IOException e) {
            throw new UncheckedIOException("no memory is available for an encoder", e);
        }
    }

    /**
     * Encodes a chunk.
     *
     * @return the encoded bytes that are available so far; may be empty
     */
    public byte[] encode(byte[] piece) {
        unflushed = true;
        return output(() -> stream.write(piece, 0, piece.length));
    }

    /**
     * Outputs all encoded bytes of the input so far.
     *
     * @return the bytes that a decoder still needs to decode the whole input so far; may be empty
     */
    public byte[] flush() {
        if (!unflushed) {
            return NOTHING;
        }
        unflushed = false;
        return output(stream::flush);
    }

    /**
     * Ends the body.
     *
     * @return the last encoded bytes. After this call, no method except {@link #close} may be called
     */
    public byte[] finish() {
        return output(stream::close);
    }

    private byte[] output(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] all = output.toByteArray();
        output.reset();
        return all;
    }

    /** Releases all memory, even if the body is not finished. Discards encoded bytes that have not been returned. */
    public void close() {
        finish();
    }
}
