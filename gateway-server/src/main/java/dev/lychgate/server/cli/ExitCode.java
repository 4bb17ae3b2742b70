package dev.lychgate.server.cli;

/** The exit codes of the process, from {@code sysexits.h} where applicable. */
final class ExitCode {
    static final int OK = 0;

    /** The command failed, for example because no gateway responded, a test failed or an exchange was aborted. */
    static final int FAILED = 1;

    /** The command, for example {@code diff}, found differences. */
    static final int DIFFERENT = 1;

    /**
     * The command has no result. For example, no gateway responded to {@code diff}, or the gateway could not compute
     * the differences.
     */
    static final int NO_RESULT = 2;

    /** Another operator changed the head of the fleet first. */
    static final int CONFLICT = 3;

    /** The command line is malformed. */
    static final int USAGE = 64;

    /** The gateway failed, because an event loop ended or stalled. */
    static final int INTERNAL = 70;

    /** The configuration or its filters are unusable. */
    static final int CONFIGURATION = 78;

    private ExitCode() {}
}
