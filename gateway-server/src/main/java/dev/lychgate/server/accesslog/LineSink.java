package dev.lychgate.server.accesslog;

/** Where lines go. Used by the writer's thread only; may block. */
interface LineSink extends AutoCloseable {
    /**
     * Writes whole lines, with their ends; they are out when it returns.
     *
     * @param lines belong to the sink from here on
     * @throws java.io.UncheckedIOException if any of them was lost
     */
    void write(byte[] lines);

    @Override
    void close();
}
