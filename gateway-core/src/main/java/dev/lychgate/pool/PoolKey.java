package dev.lychgate.pool;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.origin.Destination;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What makes a pool the same pool in the next generation.
 *
 * @param upstream the upstream's name
 * @param destination where its connections lead, and who must answer there
 * @param config the limits: a pool with other limits is another pool
 */
public record PoolKey(String upstream, Destination destination, PoolConfig config) {
    // What a record has by itself is linked at run time, which is 2 % of a start.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof PoolKey that
                        && upstream.equals(that.upstream)
                        && destination.equals(that.destination)
                        && config.equals(that.config));
    }

    @Override
    public int hashCode() {
        // What else tells destinations apart differs between few of them; clients that are announced are many.
        int leadsTo = 31 * destination.address().hashCode() + Objects.hashCode(destination.announcement());
        return 31 * upstream.hashCode() + leadsTo;
    }

    /** The address. */
    public EndpointAddress endpoint() {
        return destination.address();
    }
}
