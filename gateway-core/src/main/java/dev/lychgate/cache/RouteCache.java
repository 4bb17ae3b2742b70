package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one route. If the cache settings, the action and the rewrite of the route are unchanged, the next
 * generation keeps this object and its stored responses. Thread-safe.
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

    /**
     * Returns the cache of a route. {@code before} is the cache of the same route in the previous generation; null if
     * there was none.
     */
    static RouteCache of(RouteConfig route, CacheConfig config, ResponseStore store, @Nullable RouteCache before) {
        Identity identity = new Identity(route.id(), config, route.rewrite(), route.action());
        return before != null && before.identity.equals(identity) && before.store == store
                ? before
                : new RouteCache(identity, store);
    }

    /**
     * Begins the use of the cache by a request.
     *
     * @param head the head of the request, after all inbound filters have run
     * @param secure whether the client uses HTTPS
     * @param upstream the upstream that a filter has chosen; null for the upstream of the route
     * @param varying the fields that filters have added to the key, in lower case and sorted
     * @param overload decides which stale responses may be sent because of overload
     * @return the lookup; null if this request does not use the cache
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

    /** Describes the stored response for a request, for operators. */
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
     * Returns the maximum time for which a request waits for the response to another request, in nanoseconds; 0 if
     * requests do not wait.
     */
    public long patience() {
        return policy.patience();
    }

    /** Returns the number of requests that have ended with this outcome. */
    public long counted(CacheOutcome outcome) {
        return counts.of(outcome);
    }

    /** Returns the id of the route. */
    public String route() {
        return identity.route;
    }
}
