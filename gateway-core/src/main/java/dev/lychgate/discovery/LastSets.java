package dev.lychgate.discovery;

import dev.lychgate.upstream.FoundEndpoint;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the last set of endpoints of each discovered service, so that the sets survive a restart. All methods block.
 */
public interface LastSets {
    /**
     * A discovered service of an upstream.
     *
     * @param name the name of the service at the source; includes the name of the port if the configuration contains
     *     one
     */
    record Service(String upstream, String source, String name) {}

    /**
     * A stored set of endpoints.
     *
     * @param confirmed the time at which the source reported the endpoints
     */
    record Kept(Instant confirmed, List<FoundEndpoint> endpoints) {}

    /**
     * Returns the last set of a service; null if no set is stored.
     *
     * @throws IOException if the set cannot be read
     */
    @Nullable
    Kept read(Service service) throws IOException;

    /**
     * Replaces the last set of a service. If the process is killed during the call, either the earlier set or the new
     * set remains.
     *
     * @throws IOException if the set cannot be written; the earlier set then remains
     */
    void write(Service service, Kept set) throws IOException;
}
