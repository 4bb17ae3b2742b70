package dev.lychgate.config;

import java.util.Locale;

/** How an endpoint is chosen among those that may be used. All of them heed weights, and count per event loop. */
public enum Algorithm {
    /** Each in turn; those of a higher weight more often, evenly spread over the round. */
    ROUND_ROBIN,
    /** By lot. */
    RANDOM,
    /** Two by lot, and of them the one with fewer requests under way for its weight. */
    LEAST_REQUESTS,
    /** Two by lot, and of them the one whose answers are quicker to expect. */
    LEAST_RESPONSE_TIME,
    /** The same endpoint for the same client address; a client moves only if its own endpoint may not be used. */
    CLIENT_IP_HASH,
    /** The same endpoint for the same {@link HashSource}, as far as possible while endpoints come and go. */
    CONSISTENT_HASH;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** The word in the file: {@code round-robin}. */
    public String label() {
        return label;
    }
}
