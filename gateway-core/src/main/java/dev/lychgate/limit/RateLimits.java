package dev.lychgate.limit;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RouteConfig;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits of a generation. All routes and listeners that name a limit share its buckets. A limit keeps its buckets in later
 * generations if its settings do not change. It keeps its counts as long as each generation has a limit with its name. Immutable; the
 * limits are thread-safe.
 */
public final class RateLimits {
    private static final RateLimit[] NONE = {};
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private final Map<String, RateLimit> byName;
    private final Map<String, RateLimit[]> ofListeners = new HashMap<>();
    private final Map<String, RateLimit[]> ofRoutes = new HashMap<>();

    private RateLimits(GatewayConfig config, Map<String, RateLimit> byName) {
        this.byName = byName;
        for (ListenerConfig listener : config.listeners()) {
            ofListeners.put(listener.name(), named(listener.rateLimit()));
        }
        for (RouteConfig route : config.routes()) {
            ofRoutes.put(route.id(), named(route.rateLimit()));
        }
    }

    private RateLimit[] named(List<String> names) {
        return names.stream().map(byName::get).toArray(RateLimit[]::new);
    }

    /**
     * Returns the rate limits of a configuration; null if it has none.
     *
     * @param previous the limits of the previous generation; null if there are none
     * @throws ConfigException if the buckets need more than a quarter of the heap
     */
    public static @Nullable RateLimits of(GatewayConfig config, @Nullable RateLimits previous) {
        Map<String, RateLimitConfig> configured = config.policies().rateLimits();
        if (configured.isEmpty()) {
            return null;
        }
        requireMemory(configured.values());
        Map<String, RateLimit> byName = new LinkedHashMap<>();
        configured.forEach((name, settings) -> {
            RateLimit before = previous == null ? null : previous.byName.get(name);
            boolean same = before != null && before.config().equals(settings);
            byName.put(name, same ? before : new RateLimit(name, settings, before));
        });
        return new RateLimits(config, byName);
    }

    /** Refuses tables that would exhaust the heap, because a reload must not end the process. */
    private static void requireMemory(Collection<RateLimitConfig> limits) {
        long bytes = limits.stream()
                .mapToLong(limit -> Buckets.bytes(limit.maxKeys()))
                .sum();
        if (bytes > MOST_BYTES) {
            throw new ConfigException(
                    "rate-limits",
                    (bytes >> 20) + " MiB of buckets",
                    "at most " + (MOST_BYTES >> 20) + " MiB, a quarter of the heap; reduce max-keys");
        }
    }

    /** Returns all limits, in the order of the configuration. */
    public Collection<RateLimit> all() {
        return byName.values();
    }

    /** Returns the limits that a listener names. */
    public RateLimit[] ofListener(String name) {
        return ofListeners.getOrDefault(name, NONE);
    }

    /** Returns the limits that a route names. @param id the id of the route */
    public RateLimit[] ofRoute(String id) {
        return ofRoutes.getOrDefault(id, NONE);
    }
}
