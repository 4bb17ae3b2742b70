package dev.lychgate.listener;

import dev.lychgate.config.ListenerConfig;

/** Reports that a listener cannot bind its address, in one line for the operator. */
public final class BindFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BindFailure(ListenerConfig config, Throwable cause) {
        super("listener " + config.name() + ": can't bind " + config.address() + ": " + reason(cause), cause);
    }

    /** Returns the reason for a bind failure, with the same wording for every transport. */
    public static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return message.contains("Address already in use") ? "the address is already in use" : message;
    }
}
