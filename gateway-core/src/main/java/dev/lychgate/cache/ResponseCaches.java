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
 * The caches of a generation's routes. All of them share one store, which later generations keep. Immutable; the caches are
 * thread-safe.
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

    /** Returns the cache of a route; null if it has none. */
    public @Nullable RouteCache of(String route) {
        return ofRoutes.get(route);
    }

    /** Returns the caches of all routes that have one. */
    public Collection<RouteCache> all() {
        return ofRoutes.values();
    }

    /** Returns whether a request may change resources, so that a successful response invalidates stored ones. */
    public static boolean isUnsafe(RequestHead head) {
        return switch (head.method().name()) {
            case "GET", "HEAD", "OPTIONS", "TRACE" -> false;
            default -> head.protocol() == null;
        };
    }

    /**
     * Returns the target of a request, for {@link #invalidate}. {@code secure} states whether the client uses HTTPS.
     */
    public static String target(RequestHead head, boolean secure) {
        return KeyMaker.target(head, secure);
    }

    /**
     * Invalidates stored responses after a successful unsafe request: the responses of the target, and the responses of
     * other resources on the same host that the response to the unsafe request refers to.
     *
     * @param target the result of {@link #target}, before filters and rewrites of later steps
     * @param now the monotonic clock, in nanoseconds
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

    /** Returns the memory of stored responses, including those that clients still read, in bytes. */
    public long bytes() {
        return store.memory().used();
    }

    /** Returns the largest amount of memory of stored responses, in bytes. */
    public long mostBytes() {
        return store.memory().most();
    }

    /** Returns the number of responses that were removed to make room for others. */
    public long evictions() {
        return store.evictions();
    }

    /** Returns the number of requests that wait for the response to another request. */
    public int waiting() {
        return store.flights().waiting();
    }

    // ---- operators

    /**
     * A stored response, for operators.
     *
     * @param uri the URI of its key, without the other parts of the key
     * @param bytes its memory
     * @param age its age in seconds
     * @param remaining its remaining lifetime in seconds, negative if it is stale
     */
    public record Listed(String uri, int status, long bytes, long age, long remaining) {}

    /**
     * Returns the largest stored responses, the largest first. Blocks for a time that grows with the number of stored responses, so it
     * must not be called on an event loop.
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
     * Removes all stored responses of a URI, regardless of the other parts of their keys. Like {@link #largest} and the
     * other purges, blocks for a time that grows with the number of stored responses.
     *
     * @param uri the scheme, the host, the path and the query, in any {@linkplain PurgeUri#normal spelling}
     * @return the number of removed responses
     * @throws IllegalArgumentException if the URI has no scheme, no host or no valid path
     */
    public int purgeUri(String uri) {
        String normal = PurgeUri.normal(uri);
        return store.purge(each -> each.key.uri().equals(normal), System.nanoTime());
    }

    /** Removes the stored responses whose URI begins with {@code prefix}, like {@link #purgeUri}. */
    public int purgePrefix(String prefix) {
        String normal = PurgeUri.normal(prefix);
        return store.purge(each -> each.key.uri().startsWith(normal), System.nanoTime());
    }

    /** Removes the stored responses that have a tag, and returns their number. */
    public int purgeTag(String tag) {
        return store.purge(each -> each.tags.contains(tag), System.nanoTime());
    }

    /** Removes all stored responses, and returns their number. */
    public int purgeAll() {
        return store.purge(each -> true, System.nanoTime());
    }
}
