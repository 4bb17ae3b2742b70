package dev.lychgate.gateway;

/** Reports that the gateway can't start. The message is one line for the operator. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Exit code if the gateway can't start in its environment. */
    public static final int FAILED = 1;

    /** Exit code if the settings can't be used: EX_CONFIG of sysexits.h. */
    public static final int UNUSABLE_SETTINGS = 78;

    private final int exitCode;

    public StartFailure(String message) {
        this(message, FAILED);
    }

    /**
     * Creates a failure with this message and exit code.
     *
     * @param exitCode the exit code for a process that runs nothing but the gateway
     */
    public StartFailure(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** Returns the exit code for a process that runs nothing but the gateway. */
    public int exitCode() {
        return exitCode;
    }
}
