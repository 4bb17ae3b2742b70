package dev.lychgate.server.accesslog;

/** Makes a line from a record. Used by the writer's thread only, so it may keep state. */
interface LineFormat {
    /** Appends one line, without its line end: ASCII without control bytes, whatever the record holds. */
    void append(LineBuffer line, AccessRecord record);
}
