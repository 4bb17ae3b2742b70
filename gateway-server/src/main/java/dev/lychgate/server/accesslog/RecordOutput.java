package dev.lychgate.server.accesslog;

/** Takes the records of the log, one after the other. Used by the writer's thread only; may block but at its peril. */
interface RecordOutput extends AutoCloseable {
    /** Takes a record; what is made of it may wait in memory. Never fails: what can't be written is counted. */
    void write(AccessRecord record);

    /** Called a hundred times a second, whether anything has come or not: what has waited long enough may go. */
    void look();

    /** Opens its file anew, by its name, if it has one; what it has taken goes to the old one. Never fails. */
    default void reopen() {}

    /** Takes nothing any more, and brings out what it has. */
    @Override
    void close();
}
