package dev.lychgate.pool;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.PoolConfig;

/**
 * What makes a pool the same pool in the next generation.
 *
 * @param upstream the upstream's name
 * @param endpoint the address
 * @param config the limits: a pool with other limits is another pool
 */
public record PoolKey(String upstream, EndpointAddress endpoint, PoolConfig config) {}
