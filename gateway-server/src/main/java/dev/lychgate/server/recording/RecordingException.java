package dev.lychgate.server.recording;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;

/**
 * Reports a recording that is malformed, too large or encrypted with another key. The message states the problem and
 * its place.
 */
public final class RecordingException extends IOException {
    private static final long serialVersionUID = 1;

    public RecordingException(String message) {
        super(message);
    }

    /**
     * Returns one line for a user about a problem with a recording or its key: the file and the reason, without names
     * of Java types.
     */
    public static String text(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + ": does not exist";
        }
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        if (e instanceof DirectoryNotEmptyException directory) {
            return directory.getFile() + ": is a directory";
        }
        String message = e.getMessage();
        return message == null ? "reading or writing failed" : message;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
