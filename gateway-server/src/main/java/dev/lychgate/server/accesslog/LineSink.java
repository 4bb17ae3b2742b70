package dev.lychgate.server.accesslog;

/** Where lines go. Used by the writer's thread only; may block. */
interface LineSink extends AutoCloseable {
    /** Takes a line, without its line end; it may stay in memory until {@link #flush()}. */
    void write(String line);

    /**
     * Brings out what has been written.
     *
     * @throws java.io.UncheckedIOException if anything written since the last flush was lost
     */
    void flush();

    @Override
    void close();
}
