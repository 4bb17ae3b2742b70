package dev.lychgate.server.accesslog;

import dev.lychgate.server.logwriter.StandardStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Where lines go. Used by the writer's thread only; may block. */
interface LineSink extends AutoCloseable {
    /**
     * Writes whole lines, with their ends; they are out when it returns.
     *
     * @param lines belong to the sink from here on
     * @throws java.io.UncheckedIOException if any of them was lost
     */
    void write(byte[] lines);

    /**
     * Opens its file anew, by its name, if it has one.
     *
     * @throws java.io.UncheckedIOException if that can't be done; the old file is written on then
     */
    default void reopen() {}

    /** How often a rolled file could not be compressed. Any thread. */
    default long failedCompressions() {
        return 0;
    }

    @Override
    void close();

    /** Standard output, which stays open. */
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
