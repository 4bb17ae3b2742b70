package dev.lychgate.limit;

import dev.lychgate.config.LimitKey;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.upstream.Hash;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A named rate limit with its buckets and counters, which all event loops share. Successive generations with the same
 * settings share one object. Thread-safe.
 */
public final class RateLimit {
    private static final long START = System.nanoTime();

    private final String name;
    private final RateLimitConfig config;
    private final String policy;
    private final Buckets buckets;
    /** A field, so that the random seed is read before an event loop needs the hash. */
    private final KeyedHash hash = KeyedHash.OF_PROCESS;

    private final LimitCounts counts;

    /**
     * @param name the name in the configuration
     * @param previous the limit with this name in the previous generation, which passes its counts to this limit; null
     *     if there was none
     */
    public RateLimit(String name, RateLimitConfig config, @Nullable RateLimit previous) {
        this.name = name;
        this.config = config;
        this.policy = "\"" + name + "\";q=" + config.limit().units() + ";w="
                + config.limit().per().toSeconds() + config.unit().parameter();
        this.counts = previous == null ? new LimitCounts() : previous.counts;
        this.buckets = new Buckets(config.maxKeys(), config.limit().interval(), config.capacity(), counts.crowded);
    }

    /** Returns the name of the limit. */
    public String name() {
        return name;
    }

    /** Returns the settings of the limit. */
    public RateLimitConfig config() {
        return config;
    }

    /** Returns the value of {@code RateLimit-Policy} for this limit. */
    public String policy() {
        return policy;
    }

    /** Returns how many requests were admitted. */
    public long admitted() {
        return counts.admitted.sum();
    }

    /** Returns how many requests exceeded the limit. With {@code mode: shadow}, they were admitted nevertheless. */
    public long refused() {
        return counts.refused.sum();
    }

    /** Returns how many decisions used a bucket that several keys share, because all separate buckets of the set were in use. */
    public long crowded() {
        return counts.crowded.sum();
    }

    /** Returns how many keys have a bucket that is not full. Reads the whole table. */
    public int keysInUse() {
        return buckets.used(now());
    }

    /** Returns the keys with the most refusals in the last minutes, sorted in descending order. */
    public List<HotKey> hotKeys() {
        return counts.hot.all(now());
    }

    /** Returns whether requests that exceed the limit are refused. */
    public boolean isEnforced() {
        return config.mode() == RateLimitConfig.Mode.ENFORCE;
    }

    /** Returns the current time for {@link #take}, in nanoseconds. */
    public static long now() {
        return System.nanoTime() - START + 1;
    }

    /**
     * Counts a request. A limit of bytes or of a cost cannot count them yet, so it only checks whether the key has any units left.
     *
     * @param key the {@linkplain #key key} of the request
     * @param now the time that {@link #now} returned
     * @return the units that the key has left; if the request exceeds the limit, the negated number of nanoseconds until it would be
     *     admitted
     */
    public long take(long key, long now) {
        long decision = buckets.take(key, isOfRequests() ? 1 : 0, now);
        (decision >= 0 ? counts.admitted : counts.refused).increment();
        return decision;
    }

    /** Reverts the admission of a request that another limit refuses. */
    public void giveBack(long key, long now) {
        if (isOfRequests()) {
            buckets.giveBack(key, 1, now);
        }
        counts.admitted.decrement();
    }

    /**
     * Counts the units of an exchange that has ended. If they exceed the units that the key has left, its next requests
     * are refused for longer.
     */
    public void charge(long key, long bytes, long cost, long now) {
        long units = switch (config.unit()) {
            case REQUESTS -> 0;
            case BYTES -> bytes;
            case COST -> cost;
        };
        if (units > 0) {
            buckets.charge(key, units, now);
        }
    }

    private boolean isOfRequests() {
        return config.unit() == RateLimitConfig.Unit.REQUESTS;
    }

    /** Counts a refused request for {@link #hotKeys}. The parameters are the same as in {@link #key} and {@link #take}. */
    public void noteRefusal(long key, RequestHead head, Ingress ingress, @Nullable String route, long now) {
        counts.hot.refused(key, () -> text(head, ingress, route), now);
    }

    /**
     * Returns the key of a request: a hash that no client can predict.
     *
     * @param head the request head, with the changes of the filters that have run
     * @param ingress the facts about the client's connection, with the final address of the client
     * @param route the id of the route; null before the route is known
     */
    public long key(RequestHead head, Ingress ingress, @Nullable String route) {
        long all = 0;
        for (LimitKey part : config.key()) {
            String value = value(part, head, route);
            // A number and a text with the same bits have different hashes, because their last blocks contain different
            // lengths.
            all = value == null ? hash.of(all, Hash.ofClient(ingress.clientAddress())) : hash.of(all, value);
        }
        return all;
    }

    private String text(RequestHead head, Ingress ingress, @Nullable String route) {
        StringJoiner all = new StringJoiner(", ");
        for (LimitKey part : config.key()) {
            String value = value(part, head, route);
            all.add(value == null ? KeyText.of(ingress.clientAddress()) : KeyText.of(part, value));
        }
        return all.toString();
    }

    /** Returns the value of a part of the key; null if the client is used instead, as for a request without the value. */
    private static @Nullable String value(LimitKey part, RequestHead head, @Nullable String route) {
        String value = switch (part.source()) {
            case CLIENT -> null;
            case ROUTE -> route == null ? "" : route;
            case HEADER -> head.headers().get(part.name());
            case COOKIE -> first(Cookies.values(head.headers(), part.name()));
            case QUERY -> first(QueryParameters.of(head.query(), part.name()));
        };
        return value != null && value.isEmpty() && part.source() != LimitKey.Source.ROUTE ? null : value;
    }

    private static @Nullable String first(List<String> values) {
        return values.isEmpty() ? null : values.get(0);
    }
}
