package dev.lychgate.server.accesslog;

/** Formats a record as a line. Only the writer thread uses it, so it may keep state. */
interface LineFormat {
    /** Appends one line without its line end: ASCII without control characters for any record. */
    void append(LineBuffer line, AccessRecord record);
}
