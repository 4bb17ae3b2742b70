package dev.lychgate.filters.coding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Codes by a stream of the JDK or of a library, which writes into memory. */
final class StreamEncoder implements Encoder {
    private static final byte[] NOTHING = {};

    private final ByteArrayOutputStream output = new ByteArrayOutputStream(512);
    private final OutputStream stream;
    private boolean unflushed;

    /** Opens a stream that codes its input. */
    interface Opener {
        /** @param to receives what is coded; at a flush, all that is needed to decode the input so far */
        OutputStream open(OutputStream to) throws IOException;
    }

    private interface Step {
        void run() throws IOException;
    }

    StreamEncoder(Opener opener) {
        try {
            this.stream = opener.open(output);
        } catch (IOException e) {
            throw new UncheckedIOException("there is no memory for an encoder", e);
        }
    }

    @Override
    public byte[] encode(byte[] piece) {
        unflushed = true;
        return output(() -> stream.write(piece, 0, piece.length));
    }

    @Override
    public byte[] flush() {
        if (!unflushed) {
            return NOTHING;
        }
        unflushed = false;
        return output(stream::flush);
    }

    @Override
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

    /** Ends the coding as well; its last bytes are discarded. */
    @Override
    public void close() {
        finish();
    }
}
