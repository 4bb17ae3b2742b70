package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The caches of the routes of a generation. All caches share one store of responses, which later generations keep.
 * Immutable; the caches are thread-safe.
 */
public final class ResponseCaches {
    private final ResponseStore store;
    private final Map<String, RouteCache> ofRoutes;

    private ResponseCaches(ResponseStore store, Map<String, RouteCache> ofRoutes) {
        this.store = store;
        this.ofRoutes = ofRoutes;
    }

    /**
     * Returns the caches of a configuration; null if no route has a cache.
     *
     * @param shared the store of all generations of the gateway
     * @param previous the caches of the previous generation; null if there are none
     * @param keeps decides which routes keep their stored responses if the settings of their cache are unchanged
     */
    public static @Nullable ResponseCaches of(
            GatewayConfig config, SharedStore shared, @Nullable ResponseCaches previous, Predicate<RouteConfig> keeps) {
        Map<String, RouteCache> caches = new LinkedHashMap<>();
        for (RouteConfig route : config.routes()) {
            CacheConfig settings = route.cache();
            if (settings != null) {
                RouteCache before = previous == null || !keeps.test(route) ? null : previous.ofRoutes.get(route.id());
                caches.put(route.id(), RouteCache.of(route, settings, shared.orCreate(config), before));
            }
        }
        return caches.isEmpty() ? null : new ResponseCaches(shared.orCreate(config), caches);
    }

    /** Returns the cache of a route; null if the route has no cache. */
    public @Nullable RouteCache of(String route) {
        return ofRoutes.get(route);
    }

    /** Returns the caches of all routes that have a cache. */
    public Collection<RouteCache> all() {
        return ofRoutes.values();
    }

    /**
     * Returns whether a request may change resources. If it may, a successful response to it invalidates stored
     * responses.
     */
    public static boolean isUnsafe(RequestHead head) {
        return switch (head.method().name()) {
            case "GET", "HEAD", "OPTIONS", "TRACE" -> false;
            default -> head.protocol() == null;
        };
    }

    /**
     * Returns the host and path of a request, for {@link #invalidate}. {@code secure} states whether the client uses
     * HTTPS.
     */
    public static String target(RequestHead head, boolean secure) {
        return KeyMaker.target(head, secure);
    }

    /**
     * Invalidates stored responses after a successful request that may have changed resources. Invalidates the
     * responses for the target of the request, and for resources on the same host that the response names in {@code
     * Location} or {@code Content-Location}.
     *
     * @param target the result of {@link #target} for the request before filters and rewrites changed it
     * @param now the current time of the monotonic clock, in nanoseconds
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-4.4">RFC 9111, 4.4 Invalidating Stored Responses</a>
     */
    public void invalidate(String target, boolean secure, int status, HttpHeaders response, long now) {
        if (status < 200 || status >= 400) {
            return;
        }
        store.invalidate(target, now);
        invalidateNamed(target, secure, response.get(HttpHeaderNames.LOCATION), now);
        invalidateNamed(target, secure, response.get(HttpHeaderNames.CONTENT_LOCATION), now);
    }

    private void invalidateNamed(String target, boolean secure, @Nullable String reference, long now) {
        if (reference == null) {
            return;
        }
        try {
            String scheme = secure ? "https" : "http";
            URI base = URI.create(scheme + "://" + target);
            URI named = base.resolve(reference);
            String authority = named.getRawAuthority();
            String path = named.getRawPath();
            if (authority != null && path != null) {
                String host = KeyMaker.host(authority, "https".equals(named.getScheme()));
                if (host.equals(KeyMaker.host(base.getRawAuthority(), secure))) {
                    store.invalidate(KeyMaker.target(host, path.isEmpty() ? "/" : path), now);
                }
            }
        } catch (IllegalArgumentException e) {
            // A malformed reference refers to no resource.
        }
    }

    /** Returns the number of stored responses. */
    public int entries() {
        return store.entries();
    }

    /** Returns the memory of stored responses, in bytes. Includes removed responses that clients still receive. */
    public long bytes() {
        return store.memory().used();
    }

    /** Returns the maximum memory of stored responses, in bytes. */
    public long mostBytes() {
        return store.memory().most();
    }

    /** Returns the number of evicted responses, which were removed to make room for new responses. */
    public long evictions() {
        return store.evictions();
    }

    /** Returns the number of requests that wait for the response to another request. */
    public int waiting() {
        return store.flights().waiting();
    }

    // ---- operators

    /**
     * The description of a stored response for operators.
     *
     * @param uri the URI in the key of the response, without the other parts of the key
     * @param bytes the memory of the response, in bytes
     * @param age the age of the response, in seconds
     * @param remaining the remaining lifetime of the response, in seconds; negative if the response is stale
     */
    public record Listed(String uri, int status, long bytes, long age, long remaining) {}

    /**
     * Returns the largest stored responses, the largest first. Blocks for a time that grows with the number of stored
     * responses, so it must not be called on an event loop.
     */
    public List<Listed> largest(int most) {
        long now = System.nanoTime();
        return store.largest(most).stream()
                .map(each -> new Listed(
                        each.key.uri(),
                        each.status,
                        each.bytes(),
                        each.freshness.age(now),
                        each.freshness.remaining(now)))
                .toList();
    }

    /**
     * Removes all stored responses for a URI, whatever the other parts of their keys are. Blocks for a time that grows
     * with the number of stored responses, so it must not be called on an event loop.
     *
     * @param uri the scheme, the host, the path and the query, in any {@linkplain PurgeUri#normal spelling}
     * @return the number of removed responses
     * @throws IllegalArgumentException if the URI has no scheme, no host or no valid path
     */
    public int purgeUri(String uri) {
        String normal = PurgeUri.normal(uri);
        return store.purge(each -> each.key.uri().equals(normal), System.nanoTime());
    }

    /**
     * Removes the stored responses whose URI begins with {@code prefix}. See {@link #purgeUri} for the form of the
     * prefix, the result, the errors and the duration.
     */
    public int purgePrefix(String prefix) {
        String normal = PurgeUri.normal(prefix);
        return store.purge(each -> each.key.uri().startsWith(normal), System.nanoTime());
    }

    /**
     * Removes the stored responses that have a tag, and returns the number of removed responses. Blocks like
     * {@link #purgeUri}.
     */
    public int purgeTag(String tag) {
        return store.purge(each -> each.tags.contains(tag), System.nanoTime());
    }

    /** Removes all stored responses, and returns the number of removed responses. Blocks like {@link #purgeUri}. */
    public int purgeAll() {
        return store.purge(each -> true, System.nanoTime());
    }
}
