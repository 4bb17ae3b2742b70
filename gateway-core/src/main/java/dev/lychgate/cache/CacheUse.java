package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes in words how a request uses the cache of its route, for operators. */
public final class CacheUse {
    private CacheUse() {}

    /**
     * Describes how a request uses the cache of its route. If the request does not use the cache, the result is the
     * reason. If it does, the result contains its key, and the reasons why its response may not be stored.
     *
     * @param secure whether the client uses HTTPS
     * @param cache the cache of a running gateway; null without a running gateway. If there is a cache, the result also
     *     describes its stored response for this request
     * @param now the monotonic clock, in nanoseconds
     * @return null if the route has no cache
     */
    public static @Nullable String of(
            RouteConfig route, RequestHead head, boolean secure, @Nullable RouteCache cache, long now) {
        CacheConfig config = route.cache();
        if (config == null) {
            return null;
        }
        String unusable = CacheableRequest.unusable(config, head);
        if (unusable != null) {
            return "not used: " + unusable;
        }
        List<String> parts = new ArrayList<>();
        KeyMaker keys = new KeyMaker(config, route.rewrite().forwardRaw());
        parts.add("key " + keys.of(head, secure, null, List.of()).shown());
        String refusal = refusal(config, head);
        if (refusal != null) {
            parts.add(refusal);
        }
        if (cache != null) {
            parts.add(cache.stored(head, secure, now));
        }
        return String.join("; ", parts);
    }

    /**
     * Returns the reason why the response is never stored, or is stored only if it permits sharing. Considers only the
     * request and the settings of the cache. Returns null if they contain no such reason.
     */
    private static @Nullable String refusal(CacheConfig config, RequestHead head) {
        HttpHeaders headers = head.headers();
        if (head.method().equals(HttpMethod.HEAD)) {
            return "the response is not stored: the method is HEAD";
        }
        boolean noStore = CacheControl.parse(headers.getAll(HttpHeaderNames.CACHE_CONTROL))
                .noStore();
        if (config.clientDirectives() && noStore) {
            return "the response is not stored: the request contains no-store";
        }
        if (config.credentials() == CacheConfig.Credentials.IGNORE) {
            return null;
        }
        boolean keyed = CachePolicy.isKeyedByAuthorization(config);
        if (headers.contains(HttpHeaderNames.COOKIE) || (!keyed && headers.contains(HttpHeaderNames.AUTHORIZATION))) {
            return "the response is stored only if it permits sharing: the request contains credentials";
        }
        return null;
    }
}
