package dev.lychgate.gateway;

/** The gateway can't start. The message is one line for the operator. */
public final class StartFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartFailure(String message) {
        super(message);
    }
}
