package dev.lychgate.exchange.state;

import java.util.Locale;

/** The reason for the end of a WebSocket. The label appears in the access log and in metrics. */
public enum TunnelEnd {
    /** The client sent the first close frame. */
    CLIENT_CLOSED,
    /** The origin sent the first close frame. */
    ORIGIN_CLOSED,
    /** The client's connection ended, or stopped reading, without a close frame from either side. */
    CLIENT_GONE,
    /** The origin's connection ended, or stopped reading, without a close frame from either side. */
    ORIGIN_GONE,
    /** No bytes arrived in either direction within the idle timeout of the route. */
    IDLE,
    /** The tunnel reached the maximum lifetime of the route. */
    LIFETIME,
    /** The gateway is shutting down. */
    DRAIN;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the stable, lower-case name: {@code client-closed}. */
    public String label() {
        return label;
    }
}
