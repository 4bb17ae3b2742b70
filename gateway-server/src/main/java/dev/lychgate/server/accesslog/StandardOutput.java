package dev.lychgate.server.accesslog;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Whatever System.out is at the moment, for lines whose loss must be noticed. A {@link PrintStream} keeps failures to
 * itself; they are asked for when it is flushed. Closing it is not ours.
 */
final class StandardOutput extends OutputStream {
    @Override
    public void write(int b) {
        System.out.write(b);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        System.out.write(bytes, from, length);
    }

    /** @throws IOException if anything was lost since the last time */
    @Override
    public void flush() throws IOException {
        PrintStream out = System.out;
        boolean lost = out instanceof ProcessOutput ours ? ours.hasFailed() : out.checkError();
        if (lost) {
            throw new IOException("standard output takes nothing");
        }
    }
}
