package dev.lychgate.cache;

import java.util.Locale;

/** How the cache contributed to the response to a request. */
public enum CacheOutcome {
    /** A fresh stored response was sent. */
    HIT,
    /** A stale stored response was sent while the gateway validated it, or because the origin failed. */
    STALE,
    /** The origin confirmed a stored response, and the stored response was sent. */
    VALIDATED,
    /** The request waited for the response to another request, and got this response. */
    COALESCED,
    /** The response of the origin was sent. */
    MISS,
    /** The request did not use the cache. */
    BYPASS;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the stable, lower-case name. */
    public String label() {
        return label;
    }
}
