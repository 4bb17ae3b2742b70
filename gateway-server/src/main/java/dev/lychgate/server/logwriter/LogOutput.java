package dev.lychgate.server.logwriter;

/**
 * Receives the items of a log in order. Only the writer thread uses an output. An output may block, but items may be
 * dropped in the meantime.
 */
public interface LogOutput<T> extends AutoCloseable {
    /** Receives an item. The output may buffer the formatted item. */
    void write(T item);

    /** Receives an item that is lost, because the log was abandoned. */
    default void discard(T item) {}

    /** Called after each round of the writer, even an empty one, so that buffered data can be written when it is due. */
    default void look() {}

    /** Reopens the file by name, if there is one. Items that were received before are written to the old file. */
    default void reopen() {}

    /** Ends the output after writing buffered data. */
    @Override
    default void close() {}
}
