package dev.lychgate.server.discovery;

import org.jspecify.annotations.Nullable;

/** Thrown if a request to a source fails. The message states the reason for operators, and contains no secrets. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1;

    /** The status of the response; 0 if there was no complete response. */
    private final int status;

    SourceException(int status, String reason) {
        this(status, reason, null);
    }

    SourceException(int status, String reason, @Nullable Throwable cause) {
        // The reason states the event, so that no stack trace is needed.
        super(reason, cause, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
