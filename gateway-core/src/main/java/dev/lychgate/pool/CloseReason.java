package dev.lychgate.pool;

import java.util.Locale;

/** Why a pooled connection was closed; a label of the counters. */
public enum CloseReason {
    /** Unused for longer than the pool's idle time. */
    IDLE,
    /** Older than the pool's lifetime. */
    LIFETIME,
    /** Carried as many requests as it may. */
    REQUESTS,
    /** Closed by the origin, or broken, while nobody used it. */
    ORIGIN_CLOSED,
    /** Not reusable after its exchange: an origin that says close, a fault, an abort. */
    NOT_REUSABLE,
    /** Another event loop waits for a permit of a limit that all loops share. */
    CONTENDED,
    /** Not closed yet, but out of the pool for good: it carries a WebSocket now. */
    UPGRADED,
    /** Its endpoint is no longer configured, or the gateway is stopping. */
    RETIRED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String label() {
        return label;
    }
}
