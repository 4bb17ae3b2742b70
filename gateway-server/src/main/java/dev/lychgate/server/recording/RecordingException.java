package dev.lychgate.server.recording;

import java.io.IOException;

/** A recording that is malformed, too large or encrypted with another key. The message names the problem and its place. */
public final class RecordingException extends IOException {
    private static final long serialVersionUID = 1;

    public RecordingException(String message) {
        super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
