package dev.lychgate.server.logwriter;

/**
 * Receives the items of a log in order. Only the writer thread uses an output. An output may block, but meanwhile the
 * queue may become full, so that items are dropped.
 */
public interface LogOutput<T> extends AutoCloseable {
    /** Writes an item. The output may buffer it until {@link #look} or {@link #close}. */
    void write(T item);

    /** Releases an item that is lost, because the log was abandoned. */
    default void discard(T item) {}

    /** Writes buffered data if it is due. Called after each round of the writer, even if the round had no items. */
    default void look() {}

    /** Reopens the file by name, if there is one. Earlier items are written to the old file. */
    default void reopen() {}

    /** Ends the output after writing buffered data. */
    @Override
    default void close() {}
}
