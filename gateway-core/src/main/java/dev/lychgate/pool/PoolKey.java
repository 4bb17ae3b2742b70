package dev.lychgate.pool;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.origin.Destination;

/**
 * What makes a pool the same pool in the next generation.
 *
 * @param upstream the upstream's name
 * @param destination where its connections lead, and who must answer there
 * @param config the limits: a pool with other limits is another pool
 */
public record PoolKey(String upstream, Destination destination, PoolConfig config) {
    /** The address. */
    public EndpointAddress endpoint() {
        return destination.address();
    }
}
