package dev.lychgate.limit;

import dev.lychgate.config.LimitKey;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.upstream.Hash;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A named rate limit with its buckets and counters, for all event loops. It outlives generations whose settings it has. Thread-safe. */
public final class RateLimit {
    private static final long START = System.nanoTime();

    private final String name;
    private final RateLimitConfig config;
    private final String policy;
    private final Buckets buckets;
    private final LongAdder admitted = new LongAdder();
    private final LongAdder refused = new LongAdder();

    /** @param name the name in the configuration, or the id of the route that has the limit */
    public RateLimit(String name, RateLimitConfig config) {
        this.name = name;
        this.config = config;
        this.policy = "\"" + name + "\";q=" + config.limit().units() + ";w="
                + config.limit().per().toSeconds();
        this.buckets = new Buckets(config.keys(), config.limit().interval(), config.capacity());
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns its settings. */
    public RateLimitConfig config() {
        return config;
    }

    /** Returns its value of {@code RateLimit-Policy}. */
    public String policy() {
        return policy;
    }

    /** Returns how many requests were admitted. */
    public long admitted() {
        return admitted.sum();
    }

    /** Returns how many requests were beyond the limit. With {@code mode: shadow} they were not refused. */
    public long refused() {
        return refused.sum();
    }

    /** Returns whether requests beyond the limit are refused. */
    public boolean isEnforced() {
        return config.mode() == RateLimitConfig.Mode.ENFORCE;
    }

    /** Returns the time for {@link #take}. */
    public static long now() {
        return System.nanoTime() - START + 1;
    }

    /**
     * Counts a request.
     *
     * @param key the {@linkplain #key key} of the request
     * @param now see {@link #now}
     * @return the requests that the key has left; if the request is beyond the limit, the negative nanoseconds until it would be admitted
     */
    public long take(long key, long now) {
        long decision = buckets.take(key, 1, now);
        (decision >= 0 ? admitted : refused).increment();
        return decision;
    }

    /** Takes back that a request was admitted, because another limit refuses it. */
    public void giveBack(long key, long now) {
        buckets.giveBack(key, 1, now);
        admitted.decrement();
    }

    /**
     * Returns the key of a request: a hash that no client can predict.
     *
     * @param head the head as filters have left it
     * @param ingress facts about its connection; the address of the client is settled
     * @param route the id of its route; null before the route is known
     */
    public long key(RequestHead head, Ingress ingress, @Nullable String route) {
        KeyedHash hash = KeyedHash.OF_PROCESS;
        long all = 0;
        for (LimitKey part : config.key()) {
            String value =
                    switch (part.source()) {
                        case CLIENT -> null;
                        case ROUTE -> route == null ? "" : route;
                        case HEADER -> head.headers().get(part.name());
                        case COOKIE -> first(Cookies.values(head.headers(), part.name()));
                        case QUERY -> first(QueryParameters.of(head.query(), part.name()));
                    };
            // A number and a text of the same bits differ in the length of their last block.
            all = value == null || (value.isEmpty() && part.source() != LimitKey.Source.ROUTE)
                    ? hash.of(all, Hash.ofClient(ingress.clientAddress()))
                    : hash.of(all, value);
        }
        return all;
    }

    private static @Nullable String first(List<String> values) {
        return values.isEmpty() ? null : values.get(0);
    }
}
