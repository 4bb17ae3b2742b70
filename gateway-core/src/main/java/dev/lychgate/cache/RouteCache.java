package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one route. The next generation keeps this object, and with it the stored responses, if the cache settings, the action
 * and the rewrite of the route are unchanged. Thread-safe.
 */
public final class RouteCache {
    private final Identity identity;
    private final ResponseStore store;
    private final CachePolicy policy;
    private final KeyMaker keys;
    private final OutcomeCounts counts = new OutcomeCounts();

    private record Identity(String route, CacheConfig config, RewriteConfig rewrite, RouteAction action) {}

    private RouteCache(Identity identity, ResponseStore store) {
        this.identity = identity;
        this.store = store;
        this.policy = CachePolicy.of(identity.config);
        this.keys = new KeyMaker(identity.config, identity.rewrite.forwardRaw());
    }

    /** Returns the cache of a route. {@code before} is its cache in the previous generation; null if it had none. */
    static RouteCache of(RouteConfig route, CacheConfig config, ResponseStore store, @Nullable RouteCache before) {
        Identity identity = new Identity(route.id(), config, route.rewrite(), route.action());
        return before != null && before.identity.equals(identity) && before.store == store
                ? before
                : new RouteCache(identity, store);
    }

    /**
     * Begins the search for a request.
     *
     * @param head the request after all inbound filters
     * @param secure whether the client uses HTTPS
     * @param upstream the upstream that a filter has chosen; null = the upstream of the route
     * @param varying the fields that filters have added to the key, in lower case and sorted
     * @param overload decides which stale responses may be sent because of overload
     * @return null if responses to this request are neither stored nor served from the cache
     */
    public @Nullable CacheLookup lookup(
            RequestHead head,
            boolean secure,
            @Nullable String upstream,
            List<String> varying,
            StaleUnderOverload overload) {
        if (CacheableRequest.unusable(identity.config, head) != null) {
            counts.increment(CacheOutcome.BYPASS);
            return null;
        }
        CacheRequest request = new CacheRequest(policy, keys.of(head, secure, upstream, varying), head);
        return new CacheLookup(policy, store, counts, request, overload);
    }

    /** Describes the stored response that a request selects. */
    String stored(RequestHead head, boolean secure, long now) {
        StoredResponse stored = store.find(keys.of(head, secure, null, List.of()), head.headers());
        if (stored == null) {
            return "no response is stored";
        }
        try {
            return "a response with status " + stored.status + " is stored, age " + stored.freshness.age(now)
                    + " s, remaining lifetime " + stored.freshness.remaining(now) + " s";
        } finally {
            stored.body.release();
        }
    }

    /**
     * Returns the time for which a request waits for the response to another request, in nanoseconds; 0 if requests do
     * not wait.
     */
    public long patience() {
        return policy.patience();
    }

    /** Returns the number of requests with an outcome. */
    public long counted(CacheOutcome outcome) {
        return counts.of(outcome);
    }

    /** Returns the id of the route. */
    public String route() {
        return identity.route;
    }
}
