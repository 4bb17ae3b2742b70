package dev.lychgate.config;

import java.util.Locale;

/**
 * The algorithm that selects one of the available endpoints. All algorithms respect weights. Each event loop runs the
 * algorithm separately, and counts only the requests that this loop processes.
 */
public enum Algorithm {
    /** Selects the endpoints in turn. Endpoints with a higher weight are selected more often, at even intervals. */
    ROUND_ROBIN,
    /** Selects an endpoint at random. */
    RANDOM,
    /**
     * Draws two endpoints at random, and selects the endpoint that has fewer active requests relative to its weight.
     */
    LEAST_REQUESTS,
    /** Draws two endpoints at random, and selects the endpoint with the lower expected latency. */
    LEAST_RESPONSE_TIME,
    /**
     * Selects an endpoint by a hash of the client address, so that all requests from one address go to one endpoint. If
     * this endpoint is not available, a different endpoint is selected.
     */
    CLIENT_IP_HASH,
    /**
     * Selects an endpoint by a consistent hash of a value, which the {@link HashSource} defines. All requests with one
     * value go to one endpoint. If endpoints are added or removed, as few values as possible move to a different
     * endpoint.
     */
    CONSISTENT_HASH;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the word in the configuration, such as {@code round-robin}. */
    public String label() {
        return label;
    }
}
