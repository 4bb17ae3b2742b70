package dev.lychgate.server.accesslog;

import dev.lychgate.server.logwriter.StandardStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A destination of lines. Only the writer thread uses a sink, so its methods may block. */
interface LineSink extends AutoCloseable {
    /**
     * Writes complete lines, including their line ends. All lines are written when this method returns.
     *
     * @param lines the lines; the caller must not modify the array afterwards
     * @throws java.io.UncheckedIOException if a line was lost
     */
    void write(byte[] lines);

    /**
     * Reopens the file by name, if the sink writes to a file.
     *
     * @throws java.io.UncheckedIOException if reopening fails; the sink then continues with the old file
     */
    default void reopen() {}

    /** Returns how often the compression of a rolled file failed. Thread-safe. */
    default long failedCompressions() {
        return 0;
    }

    @Override
    void close();

    /** Returns a sink for standard output, which stays open. */
    static LineSink standardOutput() {
        StandardStream out = StandardStream.output();
        return new LineSink() {
            @Override
            public void write(byte[] lines) {
                try {
                    out.write(lines, 0, lines.length);
                    out.flush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e.getMessage(), e);
                }
            }

            @Override
            public void close() {}
        };
    }
}
