package dev.lychgate.exchange.state;

import java.util.Locale;

/** Why a WebSocket ended; the label stands in the access log and in metrics. */
public enum TunnelEnd {
    /** The client's close frame came first. */
    CLIENT_CLOSED,
    /** The origin's close frame came first. */
    ORIGIN_CLOSED,
    /** The client's connection ended, or stopped reading, without a close frame of either side. */
    CLIENT_GONE,
    /** The origin's connection ended, or stopped reading, without a close frame of either side. */
    ORIGIN_GONE,
    /** No byte came in either direction for longer than the route allows. */
    IDLE,
    /** It was open for as long as the route allows. */
    LIFETIME,
    /** The gateway is shutting down. */
    DRAIN;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The stable, lower-case name: {@code client-closed}. */
    public String label() {
        return label;
    }
}
