package dev.lychgate.pool;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.origin.Destination;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a connection pool across generations.
 *
 * @param upstream the upstream's name
 * @param destination the endpoint of the connections, with the identity that this endpoint must prove
 * @param config the settings of the pool; two pools with different settings are separate pools
 */
public record PoolKey(String upstream, Destination destination, PoolConfig config) {
    // The methods are explicit, because the generated methods of a record are linked at run time, which would take 2 %
    // of the startup time.

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
        // The hash omits components of the destination in which few destinations differ. It includes the announced
        // client, because many destinations differ in the client alone.
        int leadsTo = 31 * destination.address().hashCode() + Objects.hashCode(destination.announcement());
        return 31 * upstream.hashCode() + leadsTo;
    }

    /** Returns the endpoint's address. */
    public EndpointAddress endpoint() {
        return destination.address();
    }
}
