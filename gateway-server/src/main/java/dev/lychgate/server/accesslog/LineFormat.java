package dev.lychgate.server.accesslog;

/** Formats a record as a line. Only the writer thread uses a format, so it may keep state. */
interface LineFormat {
    /** Returns whether there are lines about changes. */
    default boolean hasChanges() {
        return false;
    }

    /** Appends one line without its line end. For any record, the line is ASCII without control characters. */
    void append(LineBuffer line, AccessRecord record);
}
