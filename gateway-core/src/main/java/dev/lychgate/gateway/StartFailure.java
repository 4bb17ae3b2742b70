package dev.lychgate.gateway;

/** The gateway can't start. The message is one line for the operator. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exit code of a process whose surroundings keep it from starting. */
    public static final int FAILED = 1;

    /** The exit code of a process whose settings can't be used: EX_CONFIG, in the words of sysexits.h. */
    public static final int UNUSABLE_SETTINGS = 78;

    private final int exitCode;

    public StartFailure(String message) {
        this(message, FAILED);
    }

    /** @param exitCode of the process, if the gateway has it for itself */
    public StartFailure(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The exit code of the process, if the gateway has it for itself. */
    public int exitCode() {
        return exitCode;
    }
}
