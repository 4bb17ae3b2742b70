package dev.lychgate.limit;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RouteConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits of a generation. All routes and listeners that refer to a limit share the buckets of this limit. A
 * limit keeps its buckets in later generations if its settings do not change. A limit keeps its counts as long as each
 * new generation has a limit of the same name. Immutable; the limits are thread-safe.
 */
public final class RateLimits {
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private final Map<String, RateLimit> byName;
    private final @Nullable SharedLimitStore fleet;
    private final Map<String, List<RateLimit>> ofListeners = new HashMap<>();
    private final Map<String, List<RateLimit>> ofRoutes = new HashMap<>();

    private RateLimits(GatewayConfig config, Map<String, RateLimit> byName, @Nullable SharedLimitStore fleet) {
        this.byName = byName;
        this.fleet = fleet;
        for (ListenerConfig listener : config.listeners()) {
            ofListeners.put(listener.name(), named(listener.rateLimit()));
        }
        for (RouteConfig route : config.routes()) {
            ofRoutes.put(route.id(), named(route.rateLimit()));
        }
    }

    private List<RateLimit> named(List<String> names) {
        return names.stream().map(byName::get).toList();
    }

    /**
     * Returns the rate limits of a configuration; null if the configuration has no rate limits.
     *
     * @param previous the limits of the previous generation; null if it has no limits
     * @param store the store of the limits that gateways share; null if no store is configured
     * @throws ConfigException if the buckets need more than a quarter of the heap, or if a limit needs a store and no
     *     store is configured
     */
    public static @Nullable RateLimits of(
            GatewayConfig config, @Nullable RateLimits previous, @Nullable BucketStore store) {
        Map<String, RateLimitConfig> configured = config.policies().rateLimits();
        if (configured.isEmpty()) {
            return null;
        }
        requireMemory(configured.values());
        for (ConfigException fault : faults(config, store != null)) {
            throw fault;
        }
        SharedLimitStore fleet = fleet(configured.values(), previous, store);
        ClientsConfig clients = config.policies().clients();
        Map<String, RateLimit> byName = new LinkedHashMap<>();
        configured.forEach((name, settings) -> {
            RateLimit before = previous == null ? null : previous.byName.get(name);
            SharedLimitStore of = settings.isShared() ? fleet : null;
            boolean same = before != null && before.isSame(settings, clients, of);
            byName.put(name, same ? before : new RateLimit(name, settings, clients, before, of));
        });
        return new RateLimits(config, byName, fleet);
    }

    /**
     * Returns the state of the store; null if no limit needs a store. Generations that use the same store share this
     * state.
     */
    private static @Nullable SharedLimitStore fleet(
            Collection<RateLimitConfig> limits, @Nullable RateLimits previous, @Nullable BucketStore store) {
        if (store == null || limits.stream().noneMatch(RateLimitConfig::isShared)) {
            return null;
        }
        SharedLimitStore before = previous == null ? null : previous.fleet;
        return before != null && before.store() == store ? before : new SharedLimitStore(store);
    }

    /** If no store is configured, returns an error for each limit that needs a store. */
    public static List<ConfigException> faults(GatewayConfig config, boolean hasStore) {
        List<ConfigException> faults = new ArrayList<>();
        if (!hasStore) {
            config.policies().rateLimits().forEach((name, limit) -> {
                if (limit.isShared()) {
                    faults.add(new ConfigException(
                            "rate-limits." + name + ".scope",
                            "fleet",
                            "local, or a section of extensions that provides a store of rate limits, such as redis"));
                }
            });
        }
        return faults;
    }

    /** Refuses tables that would exhaust the heap, because a reload must not end the process. */
    private static void requireMemory(Collection<RateLimitConfig> limits) {
        long bytes = limits.stream()
                .mapToLong(limit ->
                        limit.isShared() ? SharedBuckets.bytes(limit.maxKeys()) : Buckets.bytes(limit.maxKeys()))
                .sum();
        if (bytes > MOST_BYTES) {
            throw new ConfigException(
                    "rate-limits",
                    (bytes >> 20) + " MiB of buckets",
                    "at most " + (MOST_BYTES >> 20) + " MiB, a quarter of the heap; reduce max-keys");
        }
    }

    /** Begins the use of the store by the limits. Called when the generation takes effect. */
    public void begin() {
        if (fleet != null) {
            fleet.store().begin();
        }
    }

    /** Returns all limits, in the order of the configuration. */
    public Collection<RateLimit> all() {
        return byName.values();
    }

    /** Returns the limit with this name; null if there is no such limit. */
    public @Nullable RateLimit get(String name) {
        return byName.get(name);
    }

    /** Returns the limits to which a listener refers. */
    public List<RateLimit> ofListener(String name) {
        return ofListeners.getOrDefault(name, List.of());
    }

    /**
     * Returns the limits to which a route refers.
     *
     * @param id the id of the route
     */
    public List<RateLimit> ofRoute(String id) {
        return ofRoutes.getOrDefault(id, List.of());
    }
}
