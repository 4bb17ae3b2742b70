package dev.lychgate.limit;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.ClaimText;
import dev.lychgate.route.Ingress;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A named rate limit with its buckets and counters. All event loops use one instance, and so do all generations in
 * which the limit has equal settings. The buckets are either in this process or in the store of a {@link SharedLimit}.
 * Thread-safe.
 */
public final class RateLimit {
    /** The result of {@link #take(SharedBucket, long)} if the decision about a request needs a call of the store. */
    public static final long UNDECIDED = SharedBucket.UNDECIDED;

    private final String name;
    private final RateLimitConfig config;
    private final String policy;
    /** The buckets in this process; null for a limit that gateways share. */
    private final @Nullable Buckets buckets;
    /** The part that gateways share; null for a limit of this gateway alone. */
    private final @Nullable SharedLimit shared;
    /**
     * The hash function for keys. Initialized here, so that its random seed is read before any event loop needs the
     * hash.
     */
    private final KeyedHash hash = KeyedHash.OF_PROCESS;

    private final ClientsConfig clients;
    private final LimitCounts counts;

    /**
     * Creates a limit whose buckets are in this process, with the default settings for the identification of clients.
     *
     * @param name the name in the configuration
     */
    public RateLimit(String name, RateLimitConfig config) {
        this(name, config, ClientsConfig.DEFAULT, null, null);
    }

    /**
     * @param name the name in the configuration
     * @param clients defines which part of an address identifies a client
     * @param previous the limit with this name in the previous generation, whose counts this limit continues; null if
     *     there was no such limit
     * @param fleet the store of the buckets; null if they are in this process
     */
    RateLimit(
            String name,
            RateLimitConfig config,
            ClientsConfig clients,
            @Nullable RateLimit previous,
            @Nullable SharedLimitStore fleet) {
        this.name = name;
        this.config = config;
        this.clients = clients;
        this.policy = "\"" + name + "\";q=" + config.limit().units() + ";w="
                + config.limit().per().toSeconds() + config.unit().parameter();
        this.counts = previous == null ? new LimitCounts() : previous.counts;
        this.buckets = fleet != null
                ? null
                : new Buckets(config.maxKeys(), config.limit().interval(), config.capacity(), counts.crowded);
        this.shared = fleet == null ? null : new SharedLimit(name, config, fleet, counts);
    }

    /** Returns the part that gateways share; null if the buckets are in this process. */
    public @Nullable SharedLimit shared() {
        return shared;
    }

    /**
     * Returns whether a limit with these settings would use the same buckets as this limit.
     *
     * @param fleet the store of the buckets; null if they are in this process
     */
    boolean isSame(RateLimitConfig other, ClientsConfig others, @Nullable SharedLimitStore fleet) {
        boolean sameStore = shared == null ? fleet == null : fleet != null && shared.isOf(fleet);
        return sameStore && config.equals(other) && clients.identifiesLike(others);
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

    /**
     * Returns how many requests exceeded the limit. With {@code mode: shadow}, such requests were admitted and only
     * counted.
     */
    public long refused() {
        return counts.refused.sum();
    }

    /**
     * Returns how many decisions used a bucket that several keys share, because all separate buckets that the key may
     * use were in use.
     */
    public long crowded() {
        return counts.crowded.sum();
    }

    /** Returns how many keys have a bucket that is not full. Reads the whole table. */
    public int keysInUse() {
        return shared != null ? shared.used(now()) : requireBuckets().used(now());
    }

    private Buckets requireBuckets() {
        if (buckets == null) {
            throw new IllegalStateException("the buckets of " + name + " are in a store");
        }
        return buckets;
    }

    /** Returns the keys with the most refusals in the last minutes. The key with the most refusals comes first. */
    public List<HotKey> hotKeys() {
        return counts.hot.all(now());
    }

    /** Returns whether requests that exceed the limit are refused. */
    public boolean isEnforced() {
        return config.mode() == RateLimitConfig.Mode.ENFORCE;
    }

    /** Returns the current time for {@link #take}, in nanoseconds. */
    public static long now() {
        return LimitClock.now();
    }

    /**
     * Counts a request against a limit that gateways do not share. If the unit is bytes or cost, the number of units is
     * not known yet, so this method only checks that the bucket is not empty.
     *
     * @param key the {@linkplain #key key} of the request
     * @param now the time that {@link #now} returned
     * @return the number of units that the key has left; if the request exceeds the limit, the negated number of
     *     nanoseconds until it would be admitted
     */
    public long take(long key, long now) {
        return count(requireBuckets().take(key, isOfRequests() ? 1 : 0, now));
    }

    private long count(long decision) {
        (decision >= 0 ? counts.admitted : counts.refused).increment();
        return decision;
    }

    /**
     * Returns the bucket of a request if gateways share this limit; null if they do not share it. The parameters are
     * the same as in {@link #key}.
     *
     * @param key the key of the request
     */
    public @Nullable SharedBucket bucket(
            long key, RequestHead head, Ingress ingress, @Nullable String route, long now) {
        if (shared == null) {
            return null;
        }
        SharedBucket known = shared.find(key);
        return known != null ? known : shared.add(key, identity(head, ingress, route), now);
    }

    /**
     * Counts a request against a limit that gateways share.
     *
     * @return the result of {@link #take(long, long)}, or {@link #UNDECIDED} if the decision needs a call of the store
     */
    public long take(SharedBucket bucket, long now) {
        long decision = bucket.take(now);
        return decision == UNDECIDED ? decision : count(decision);
    }

    /** Counts a request about which the store was asked. {@code decided} contains the decision. */
    public long take(Question decided) {
        return count(decided.decision());
    }

    /**
     * Returns the unit of an admitted request to its bucket, because another limit refuses the request.
     *
     * @param bucket the bucket of the request; null if gateways do not share the limit
     */
    public void giveBack(long key, @Nullable SharedBucket bucket, long now) {
        if (isOfRequests()) {
            if (bucket != null) {
                bucket.giveBack(now);
            } else {
                requireBuckets().giveBack(key, 1, now);
            }
        }
        counts.admitted.decrement();
    }

    /**
     * Takes the units of an exchange that has ended, or the latest bytes of an exchange that is in progress. If the
     * bucket does not contain enough units, it gets into debt. Requests are then refused until the bucket has regained
     * the missing units.
     *
     * @param bucket the bucket of the request; null if gateways do not share the limit
     */
    public void charge(long key, @Nullable SharedBucket bucket, long bytes, long cost, long now) {
        long units = switch (config.unit()) {
            case REQUESTS -> 0;
            case BYTES -> bytes;
            case COST -> cost;
        };
        if (units > 0 && bucket != null) {
            bucket.charge(units, now);
        } else if (units > 0) {
            requireBuckets().charge(key, units, now);
        }
    }

    private boolean isOfRequests() {
        return config.unit() == RateLimitConfig.Unit.REQUESTS;
    }

    /**
     * Counts a refused request for {@link #hotKeys}. The parameters are the same as in {@link #key} and {@link #take}.
     */
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
            String value = value(part, head, ingress, route);
            // A number and a text with the same bits have different hashes, because their last blocks contain different
            // lengths.
            all = value == null ? client(ingress).hash(hash, all) : hash.of(all, value);
        }
        return all;
    }

    /** Returns the values of the key as an unambiguous text that is equal in all gateways. */
    private CharSequence identity(RequestHead head, Ingress ingress, @Nullable String route) {
        StringBuilder all = new StringBuilder();
        for (LimitKey part : config.key()) {
            String value = value(part, head, ingress, route);
            if (value == null) {
                all.append("client ").append(client(ingress));
            } else {
                all.append(part).append(' ').append(value.length()).append(' ').append(value);
            }
            all.append('\n');
        }
        return all;
    }

    private ClientPrefix client(Ingress ingress) {
        return ClientPrefix.of(ingress.clientAddress(), clients);
    }

    private String text(RequestHead head, Ingress ingress, @Nullable String route) {
        StringJoiner all = new StringJoiner(", ");
        for (LimitKey part : config.key()) {
            String value = value(part, head, ingress, route);
            all.add(value == null ? KeyText.of(client(ingress)) : KeyText.of(part, value));
        }
        return all.toString();
    }

    /**
     * Returns the value of a part of the key. Returns null if the request contains no value, or several different
     * values; the client's address then replaces the value.
     *
     * @param ingress supplies the claims of the sender
     */
    public static @Nullable String value(LimitKey part, RequestHead head, Ingress ingress, @Nullable String route) {
        if (part.source() == LimitKey.Source.CLAIM) {
            String claim = ClaimText.of(ingress.claim(part.name()));
            return claim == null || claim.isEmpty() ? null : claim;
        }
        return value(part, head, route);
    }

    /**
     * Returns the value of a part of the key other than a claim. Returns null if the request contains no value, or
     * several different values.
     */
    public static @Nullable String value(LimitKey part, RequestHead head, @Nullable String route) {
        String value = switch (part.source()) {
            case CLIENT, CLAIM -> null;
            case ROUTE -> route == null ? "" : route;
            case HEADER, COOKIE, QUERY -> SentValue.of(part, head);
        };
        return value != null && value.isEmpty() && part.source() != LimitKey.Source.ROUTE ? null : value;
    }
}
