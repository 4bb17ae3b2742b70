package dev.lychgate.server.cli;

/** An argument is malformed or out of range, so the process ends with {@link ExitCode#USAGE}. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    /** @param message one line: the argument, its value and the expected range */
    UsageException(String message) {
        super(message);
    }
}
