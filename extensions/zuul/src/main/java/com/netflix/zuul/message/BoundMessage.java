package com.netflix.zuul.message;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Transfers bodies between messages and the gateway. Only the gateway uses this class, which Zuul does not have. */
public final class BoundMessage {
    private BoundMessage() {}

    /**
     * Sets the body that the gateway has received.
     *
     * @param present whether the message has a body
     */
    public static void receive(ZuulMessageImpl message, boolean present, Supplier<byte[]> body) {
        message.receive(present, body);
    }

    /** Returns the body that filters have set since the last call; null if they have set none. */
    public static byte @Nullable [] takeBody(ZuulMessageImpl message) {
        return message.takeBody();
    }
}
