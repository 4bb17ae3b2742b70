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

/** A named rate limit with its buckets and counters, for all event loops. It serves all generations with the same settings. Thread-safe. */
public final class RateLimit {
    private static final long START = System.nanoTime();

    private final String name;
    private final RateLimitConfig config;
    private final String policy;
    private final Buckets buckets;
    /** Here, so that its random seed is read before any event loop needs it. */
    private final KeyedHash hash = KeyedHash.OF_PROCESS;

    private final LimitCounts counts;

    /**
     * @param name the name in the configuration
     * @param previous the limit that had the name before, whose counts continue; null if there was none
     */
    public RateLimit(String name, RateLimitConfig config, @Nullable RateLimit previous) {
        this.name = name;
        this.config = config;
        this.policy = "\"" + name + "\";q=" + config.limit().units() + ";w="
                + config.limit().per().toSeconds() + config.unit().parameter();
        this.counts = previous == null ? new LimitCounts() : previous.counts;
        this.buckets = new Buckets(config.maxKeys(), config.limit().interval(), config.capacity(), counts.crowded);
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
        return counts.admitted.sum();
    }

    /** Returns how many requests were beyond the limit. With {@code mode: shadow} they were not refused. */
    public long refused() {
        return counts.refused.sum();
    }

    /** Returns how many decisions used a bucket that several keys share, because more keys are in use than have their own. */
    public long crowded() {
        return counts.crowded.sum();
    }

    /** Returns how many keys have a bucket that is not full. Reads the whole table. */
    public int keysInUse() {
        return buckets.used(now());
    }

    /** Returns the keys that were refused most in the last minutes, the first most of all. */
    public List<HotKey> hotKeys() {
        return counts.hot.all(now());
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
     * Counts a request. If the limit is one of bytes or of a cost, which are not known yet, it only asks whether the key has any left.
     *
     * @param key the {@linkplain #key key} of the request
     * @param now see {@link #now}
     * @return the units that the key has left; if the request is beyond the limit, the negative nanoseconds until it would be admitted
     */
    public long take(long key, long now) {
        long decision = buckets.take(key, isOfRequests() ? 1 : 0, now);
        (decision >= 0 ? counts.admitted : counts.refused).increment();
        return decision;
    }

    /** Takes back that a request was admitted, because another limit refuses it. */
    public void giveBack(long key, long now) {
        if (isOfRequests()) {
            buckets.giveBack(key, 1, now);
        }
        counts.admitted.decrement();
    }

    /** Takes the units of an exchange that has ended. They may exceed what the key has left: it then waits longer. */
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

    /** Adds a refused request to the keys that are refused often. As {@link #key}. */
    public void noteRefusal(long key, RequestHead head, Ingress ingress, @Nullable String route, long now) {
        counts.hot.refused(key, () -> text(head, ingress, route), now);
    }

    /**
     * Returns the key of a request: a hash that no client can predict.
     *
     * @param head the head as filters have left it
     * @param ingress facts about its connection; the address of the client is settled
     * @param route the id of its route; null before the route is known
     */
    public long key(RequestHead head, Ingress ingress, @Nullable String route) {
        long all = 0;
        for (LimitKey part : config.key()) {
            String value = value(part, head, route);
            // A number and a text of the same bits differ in the length of their last block.
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

    /** Returns the value of a part of the key; null if that part is the client, as it is for a request without the value. */
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
