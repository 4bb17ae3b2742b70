package dev.lychgate.filters.coding;

import com.aayushatharva.brotli4j.encoder.BrotliEncoderChannel;
import com.aayushatharva.brotli4j.encoder.Encoder.Parameters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Codes as {@code br}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7932">RFC 7932 Brotli</a>
 */
final class BrotliEncoder implements Encoder {
    private static final byte[] NOTHING = {};

    private final Output output = new Output();
    private final BrotliEncoderChannel channel;
    private boolean unflushed;

    /** @param windowBits of how many bytes back it finds what has been before, as a power of two */
    BrotliEncoder(int level, int windowBits) {
        try {
            this.channel = new BrotliEncoderChannel(
                    output, new Parameters().setQuality(level).setWindow(windowBits));
        } catch (IOException e) {
            throw new UncheckedIOException("there is no memory for a Brotli encoder", e);
        }
    }

    @Override
    public byte[] encode(byte[] piece) {
        try {
            channel.write(ByteBuffer.wrap(piece));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unflushed = true;
        return output.take();
    }

    @Override
    public byte[] flush() {
        if (!unflushed) {
            return NOTHING;
        }
        unflushed = false;
        try {
            channel.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return output.take();
    }

    @Override
    public byte[] finish() {
        close();
        return output.take();
    }

    /** Ends the stream, too: what comes of that is nobody's any more. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the library writes to. */
    private static final class Output implements WritableByteChannel {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

        @Override
        public int write(ByteBuffer from) {
            byte[] copy = new byte[from.remaining()];
            from.get(copy);
            bytes.writeBytes(copy);
            return copy.length;
        }

        byte[] take() {
            byte[] all = bytes.toByteArray();
            bytes.reset();
            return all;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
