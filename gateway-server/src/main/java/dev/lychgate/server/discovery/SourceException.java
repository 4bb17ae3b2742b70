package dev.lychgate.server.discovery;

/** A failed request to a source. The message is the reason, for operators; it contains no secrets. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1;

    /** The status of the response; 0 if there was no complete response. */
    private final int status;

    SourceException(int status, String reason) {
        // The reason states the cause, so that neither a stack trace nor a cause is needed.
        super(reason, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
