package dev.lychgate.server.logwriter;

/**
 * Receives the items of a log in order. Only the writer thread uses an output. An output may block. Meanwhile, the
 * queue may become full, and further items are then dropped.
 */
public interface LogOutput<T> extends AutoCloseable {
    /** Writes an item. The output may buffer it until {@link #look} or {@link #close}. */
    void write(T item);

    /** Releases the resources of an item that is lost because the log was abandoned. */
    default void discard(T item) {}

    /**
     * Writes buffered data if the output has delayed it for long enough. Called after each round of the writer, even if
     * the round had no items.
     */
    default void look() {}

    /**
     * Reopens the file of the output by its name. Earlier items are written to the old file. An output without a file
     * does nothing.
     */
    default void reopen() {}

    /** Writes buffered data, and ends the output. */
    @Override
    default void close() {}
}
