package dev.lychgate.cache;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.loop.MemoryBudget;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Owns the store of cached responses that all generations of a gateway share. The store is created for the first route
 * with a cache, and exists until the gateway stops. Thread-safe.
 */
public final class SharedStore {
    private final AtomicReference<@Nullable ResponseStore> store = new AtomicReference<>();

    /** Returns the store. If there is none, creates it with the limits in {@code config}. */
    ResponseStore orCreate(GatewayConfig config) {
        ResponseStore present = store.get();
        if (present != null) {
            return present;
        }
        ResponseStore created = new ResponseStore(config.policies().cache(), MemoryBudget.OF_PROCESS);
        return store.compareAndSet(null, created) ? created : orCreate(config);
    }

    /**
     * Applies the limits of the stable generation. If no generation in force has a cache, removes all stored responses.
     *
     * @param inForce the configurations of all generations in force, beginning with the stable generation
     */
    public void begin(List<GatewayConfig> inForce) {
        ResponseStore present = store.get();
        if (present != null) {
            present.limit(inForce.get(0).policies().cache());
            if (inForce.stream()
                    .allMatch(config -> config.routes().stream().allMatch(route -> route.cache() == null))) {
                present.purge(each -> true, System.nanoTime());
            }
        }
    }

    /**
     * Removes all stored responses, and prevents the storage of responses from now on. Called when the gateway has
     * stopped.
     */
    public void close() {
        ResponseStore present = store.get();
        if (present != null) {
            present.close();
        }
    }
}
