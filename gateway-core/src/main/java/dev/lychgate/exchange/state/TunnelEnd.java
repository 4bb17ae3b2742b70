package dev.lychgate.exchange.state;

import java.util.Locale;

/** The reason for the end of a WebSocket. The {@link #label} of the reason appears in the access log and in metrics. */
public enum TunnelEnd {
    /** The client sent the first close frame. */
    CLIENT_CLOSED,
    /** The origin sent the first close frame. */
    ORIGIN_CLOSED,
    /** The client closed its connection or stopped reading, and neither side had sent a close frame. */
    CLIENT_GONE,
    /** The origin closed its connection or stopped reading, and neither side had sent a close frame. */
    ORIGIN_GONE,
    /** No bytes arrived in either direction within the idle timeout of the route. */
    IDLE,
    /** The tunnel reached the maximum lifetime of the route. */
    LIFETIME,
    /** The gateway is shutting down. */
    DRAIN;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the name in lower case, such as {@code client-closed}. Names do not change between releases. */
    public String label() {
        return label;
    }
}
