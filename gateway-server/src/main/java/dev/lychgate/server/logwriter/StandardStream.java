package dev.lychgate.server.logwriter;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * Writes to the current System.out or System.err. A {@link PrintStream} throws no exceptions, so lost data is detected
 * only by {@link #flush}. The standard streams are never closed.
 */
public final class StandardStream extends OutputStream {
    private final Supplier<PrintStream> stream;
    private final String name;

    private StandardStream(Supplier<PrintStream> stream, String name) {
        this.stream = stream;
        this.name = name;
    }

    public static StandardStream output() {
        return new StandardStream(() -> System.out, "standard output");
    }

    public static StandardStream error() {
        return new StandardStream(() -> System.err, "standard error");
    }

    @Override
    public void write(int b) {
        stream.get().write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        stream.get().write(bytes, from, length);
    }

    /** @throws IOException if data was lost since the last call */
    @Override
    public void flush() throws IOException {
        PrintStream out = stream.get();
        boolean lost = out instanceof ProcessOutput ours ? ours.hasFailed() : out.checkError();
        if (lost) {
            throw new IOException(name + " accepts no data");
        }
    }
}
