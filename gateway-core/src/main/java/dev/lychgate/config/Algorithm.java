package dev.lychgate.config;

import java.util.Locale;

/**
 * The algorithm that selects one of the available endpoints. All algorithms respect weights. Each event loop counts
 * only its own requests.
 */
public enum Algorithm {
    /** Selects the endpoints in turn. Endpoints with a higher weight are selected more often, at even intervals. */
    ROUND_ROBIN,
    /** Selects an endpoint at random. */
    RANDOM,
    /** Draws two endpoints at random, and selects the endpoint that has fewer active requests relative to its weight. */
    LEAST_REQUESTS,
    /** Draws two endpoints at random, and selects the endpoint with the lower expected latency. */
    LEAST_RESPONSE_TIME,
    /**
     * Selects the same endpoint for the same client address. A client changes to another endpoint only if the selected
     * one is not available.
     */
    CLIENT_IP_HASH,
    /**
     * Selects the same endpoint for the same value of the {@link HashSource}. If endpoints are added or removed, as few
     * values as possible move to another endpoint.
     */
    CONSISTENT_HASH;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the word in the configuration, such as {@code round-robin}. */
    public String label() {
        return label;
    }
}
