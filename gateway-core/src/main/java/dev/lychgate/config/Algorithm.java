package dev.lychgate.config;

import java.util.Locale;

/**
 * The algorithm that selects one of the available endpoints. All algorithms respect weights and count per event loop.
 */
public enum Algorithm {
    /** Selects each endpoint in turn; endpoints of a higher weight more often, spread evenly over the round. */
    ROUND_ROBIN,
    /** Selects an endpoint at random. */
    RANDOM,
    /** Draws two endpoints at random and selects the one with fewer active requests relative to its weight. */
    LEAST_REQUESTS,
    /** Draws two endpoints at random and selects the one with the lower expected latency. */
    LEAST_RESPONSE_TIME,
    /** Selects the same endpoint for the same client address; a client moves only if its endpoint is not available. */
    CLIENT_IP_HASH,
    /**
     * Selects the same endpoint for the same {@link HashSource}, as far as possible while endpoints are added and
     * removed.
     */
    CONSISTENT_HASH;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the word in the file: {@code round-robin}. */
    public String label() {
        return label;
    }
}
