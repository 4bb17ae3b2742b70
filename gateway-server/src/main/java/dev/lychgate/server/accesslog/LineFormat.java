package dev.lychgate.server.accesslog;

/** Formats a record as a line. Only the writer thread uses a format, so the format may keep state. */
interface LineFormat {
    /** Returns whether a log in this format also contains lines about changes of the gateway. */
    default boolean hasChanges() {
        return false;
    }

    /**
     * Appends one line without a line end. The line consists of ASCII without control characters, even if texts of the
     * record contain other characters.
     */
    void append(LineBuffer line, AccessRecord record);
}
