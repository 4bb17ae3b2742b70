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

    /**
     * Opens its file anew, by its name, if it has one.
     *
     * @throws java.io.UncheckedIOException if that can't be done; the old file is written on then
     */
    default void reopen() {}

    @Override
    void close();
}
