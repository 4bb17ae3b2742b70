package dev.lychgate.server.metrics;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.RouteCache;
import dev.lychgate.server.metrics.Families.Group;
import org.jspecify.annotations.Nullable;

/** The metric families of the cache. Not thread-safe. */
final class CacheFamilies {
    private final Group<RouteCache> routes;
    private final Group<ResponseCaches> all;

    CacheFamilies(Families families) {
        routes = families.<RouteCache>group("lychgate_cache_", "route")
                .counter(
                        "requests{outcome}",
                        "Requests on routes with a cache, by the way in which the cache handled them",
                        (cache, row) -> {
                            for (CacheOutcome outcome : CacheOutcome.values()) {
                                row.set(cache.counted(outcome), outcome.label());
                            }
                        });
        all = families.<ResponseCaches>group("lychgate_cache_")
                .gauge("entries", "Stored responses", ResponseCaches::entries)
                .gauge(
                        "bytes",
                        "Memory of stored responses, and of bodies that are being stored or that clients still read",
                        ResponseCaches::bytes)
                .counter(
                        "evictions",
                        "Stored responses that were removed to make room for others",
                        ResponseCaches::evictions);
    }

    /**
     * Reads the counts of the caches.
     *
     * @param caches null if no route has a cache
     */
    void read(@Nullable ResponseCaches caches) {
        if (caches != null) {
            caches.all().forEach(cache -> routes.read(cache, cache.route()));
            all.read(caches);
        }
    }
}
