package dev.lychgate.server.logwriter;

/** Takes the items of a log, one after the other. Used by the writer's thread only; may block, at the price of dropped items. */
public interface LogOutput<T> extends AutoCloseable {
    /** Takes an item; what is made of it may wait in memory. */
    void write(T item);

    /** Called after each round of the writer, whether there were items or not: what has waited long enough may go. */
    default void look() {}

    /** Opens its file anew, by its name, if it has one; what it has taken goes to the old one. */
    default void reopen() {}

    /** Takes nothing any more, and brings out what it has. */
    @Override
    default void close() {}
}
