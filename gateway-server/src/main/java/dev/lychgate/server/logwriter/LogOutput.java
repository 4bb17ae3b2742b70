package dev.lychgate.server.logwriter;

/** Receives the items of a log in order. Only the writer thread uses it. It may block, at the price of dropped items. */
public interface LogOutput<T> extends AutoCloseable {
    /** Receives an item. Its formatted form may be buffered. */
    void write(T item);

    /** Called after each round of the writer, even an empty one, so that buffered data can be written when it is due. */
    default void look() {}

    /** Reopens the file by name, if there is one. Items received before go to the old file. */
    default void reopen() {}

    /** Ends the output after writing buffered data. */
    @Override
    default void close() {}
}
