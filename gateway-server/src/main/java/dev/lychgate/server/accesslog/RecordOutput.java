package dev.lychgate.server.accesslog;

/** Takes the records of the log, one after the other. Used by the writer's thread only; may block but at its peril. */
interface RecordOutput extends AutoCloseable {
    /** Takes a record; what is made of it may wait in memory. Never fails: what can't be written is counted. */
    void write(AccessRecord record);

    /** Called a hundred times a second, whether anything has come or not: what has waited long enough may go. */
    void look();

    /** Takes nothing any more, and brings out what it has. */
    @Override
    void close();
}
