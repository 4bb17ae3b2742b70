package dev.lychgate.server.cli;

/** The exit codes of the process, which follow {@code sysexits.h} where it has one. */
final class ExitCode {
    static final int OK = 0;

    /** The command failed: the gateway did not answer, a test failed, an exchange was cut. */
    static final int FAILED = 1;

    /** The command line is malformed. */
    static final int USAGE = 64;

    /** The gateway broke down: an event loop died. */
    static final int INTERNAL = 70;

    /** The configuration or its filters are unusable. */
    static final int CONFIGURATION = 78;

    private ExitCode() {}
}
