package dev.lychgate.listener;

import dev.lychgate.config.ListenerConfig;
import java.net.BindException;

/** A listener can't have its address. The message is one line for the operator. */
public final class BindFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BindFailure(ListenerConfig config, Throwable cause) {
        super("listener " + config.name() + ": can't bind " + config.address() + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return cause instanceof BindException && message.contains("Address already in use")
                ? "the address is already in use"
                : message;
    }
}
