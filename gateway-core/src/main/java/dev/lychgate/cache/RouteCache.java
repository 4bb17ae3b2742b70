package dev.lychgate.cache;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one route. The next generation keeps this object, and with it the stored responses, if the cache settings, the action
 * and the rewrite of the route are unchanged. Thread-safe.
 */
public final class RouteCache {
    private final Identity identity;
    private final CacheConfig config;
    private final ResponseStore store;
    private final KeyMaker keys;
    private final Storability.Rules rules;
    private final long staleWhileRevalidate;
    private final long staleIfError;
    private final long patience;
    private final boolean keyedByAuthorization;
    private final Map<CacheOutcome, LongAdder> counts = new EnumMap<>(CacheOutcome.class);

    private record Identity(String route, CacheConfig config, RewriteConfig rewrite, RouteAction action) {}

    private RouteCache(Identity identity, ResponseStore store) {
        this.identity = identity;
        this.config = identity.config;
        this.store = store;
        this.keys = new KeyMaker(config, identity.rewrite.forwardRaw());
        this.rules = new Storability.Rules(
                Set.copyOf(config.statuses()),
                config.maxEntry().bytes(),
                config.setCookie(),
                config.credentials() == CacheConfig.Credentials.IGNORE,
                new Freshness.Settings(seconds(config.ttl()), seconds(config.defaultTtl())));
        this.staleWhileRevalidate = seconds(config.staleWhileRevalidate());
        this.staleIfError = seconds(config.staleIfError());
        this.patience = config.coalesce().toNanos();
        this.keyedByAuthorization = isKeyedByAuthorization(config);
        for (CacheOutcome outcome : CacheOutcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    private static long seconds(@Nullable Duration configured) {
        return configured == null ? CacheControl.ABSENT : configured.toSeconds();
    }

    /** Returns the cache of a route. @param before that of the previous generation; null if there is none */
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
     * @param upstream the upstream that a filter has chosen; null = that of the route
     * @return null if responses to this request are neither stored nor served from the cache
     */
    public @Nullable CacheLookup lookup(RequestHead head, boolean secure, @Nullable String upstream) {
        if (CacheUse.unusable(config, head) != null) {
            count(CacheOutcome.BYPASS);
            return null;
        }
        return new CacheLookup(this, keys.of(head, secure, upstream), head);
    }

    static boolean isKeyedByAuthorization(CacheConfig config) {
        return config.key().stream().anyMatch(part -> part.isHeader(HttpHeaderNames.AUTHORIZATION.toString()));
    }

    /** Describes the stored response that a request selects. */
    String stored(RequestHead head, boolean secure, long now) {
        StoredResponse stored = store.find(keys.of(head, secure, null), head.headers());
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

    /** Returns the time for which requests wait for the response to another one, in nanoseconds; 0 if they do not wait. */
    public long patience() {
        return patience;
    }

    /** Counts a request. */
    void count(CacheOutcome outcome) {
        requireNonNull(counts.get(outcome)).increment();
    }

    /** Returns the number of requests with an outcome. */
    public long counted(CacheOutcome outcome) {
        return requireNonNull(counts.get(outcome)).sum();
    }

    /** Returns the id of the route. */
    public String route() {
        return identity.route;
    }

    ResponseStore store() {
        return store;
    }

    Storability.Rules rules() {
        return rules;
    }

    /** Returns the name of the response field with tags; null if responses have none. */
    @Nullable
    String tags() {
        return config.tags();
    }

    List<String> targets() {
        return config.targets();
    }

    boolean obeysClients() {
        return config.clientDirectives();
    }

    boolean announces() {
        return config.cacheStatus();
    }

    /** Returns whether requests with other values of {@code Authorization} have other keys. */
    boolean isKeyedByAuthorization() {
        return keyedByAuthorization;
    }

    /** Returns whether a response field states only the lifetime or the version of a response. @param name the name in lower case */
    boolean isAboutLifetime(String name) {
        return switch (name) {
            case "cache-control", "date", "etag", "expires", "last-modified" -> true;
            default -> config.targets().stream().anyMatch(name::equalsIgnoreCase);
        };
    }

    long staleWhileRevalidate() {
        return staleWhileRevalidate;
    }

    long staleIfError() {
        return staleIfError;
    }

    static long secondsOf(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos);
    }
}
