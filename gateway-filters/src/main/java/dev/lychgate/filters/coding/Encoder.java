package dev.lychgate.filters.coding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Puts one body into a coding, piece by piece: by a stream of the JDK or of a library, which writes into memory. Holds memory
 * beyond the heap until it is closed. For one thread.
 */
public final class Encoder {
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

    Encoder(Opener opener) {
        try {
            this.stream = opener.open(output);
        } catch (IOException e) {
            throw new UncheckedIOException("there is no memory for an encoder", e);
        }
    }

    /** @return what is ready by then; may be empty */
    public byte[] encode(byte[] piece) {
        unflushed = true;
        return output(() -> stream.write(piece, 0, piece.length));
    }

    /** @return all that is needed to decode what has been given so far; empty if that has been returned already */
    public byte[] flush() {
        if (!unflushed) {
            return NOTHING;
        }
        unflushed = false;
        return output(stream::flush);
    }

    /** The body is over. @return the last bytes of its coding; nothing may be asked for after that */
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

    /** Lets go of what it holds, whether or not it has finished; the last bytes of the coding are discarded. */
    public void close() {
        finish();
    }
}
