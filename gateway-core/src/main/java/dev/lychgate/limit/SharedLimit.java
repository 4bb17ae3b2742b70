package dev.lychgate.limit;

import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Unit;
import org.jspecify.annotations.Nullable;

/**
 * The buckets and counts of a rate limit that gateways share ({@code scope: fleet}). The buckets are in a {@link
 * BucketStore}. If the rate is at least {@value #EXACT_BELOW} units per second, the gateway leases units in advance. If
 * the rate is lower, the store decides about each request, because a lease would be as large as the limit. Thread-safe.
 */
public final class SharedLimit {
    /**
     * A rate in units per second. Below this rate, the store decides about each request. At this rate and above, the
     * gateway itself decides, with units that it leases in advance or charges later.
     */
    static final int EXACT_BELOW = 50;

    private static final double SECOND = 1e9;
    /**
     * The minimum size of a lease, in units. A lease must cover the requests that one page load causes at the same
     * time. If the burst is smaller than this minimum, the lease is as large as the burst.
     */
    private static final long LEAST_LEASE = 10;

    private final String identity;
    private final RateLimitConfig config;
    private final SharedLimitStore fleet;
    private final LimitCounts counts;
    private final SharedBuckets buckets;
    private final double interval;
    private final long burst;
    private final long lease;
    private final boolean exact;
    private final boolean prepaid;

    SharedLimit(String name, RateLimitConfig config, SharedLimitStore fleet, LimitCounts counts) {
        this.config = config;
        this.fleet = fleet;
        this.counts = counts;
        this.buckets = new SharedBuckets(config.maxKeys(), counts.crowded);
        this.interval = config.limit().interval();
        this.burst = config.capacity();
        this.exact = interval > SECOND / EXACT_BELOW;
        this.prepaid = config.unit() == Unit.REQUESTS;
        // 2 % of the units that the rate admits per second.
        long share = (long) Math.ceil(SECOND / interval / 50);
        this.lease = exact || !prepaid ? 0 : Math.min(burst, Math.max(LEAST_LEASE, share));
        // The units of a bucket depend on the rate, so a limit with another rate has separate buckets.
        this.identity = name + '\n' + config.limit() + '\n' + burst + '\n' + config.unit() + '\n';
    }

    /**
     * Returns whether the store decides about each request. If the result is false, this gateway decides, with units
     * that it leases in advance or charges later.
     */
    public boolean isExact() {
        return exact;
    }

    /** Returns whether the store, or a part of it, does not respond. */
    public boolean isLost() {
        return fleet.isLost();
    }

    /** Returns how many gateways shared the store when it last responded. */
    public int gateways() {
        return Math.max(1, fleet.store().gateways());
    }

    /** Returns the maximum number of units that this gateway leases for a key; 0 if it leases no units. */
    public long lease() {
        return lease;
    }

    /**
     * Returns the number of units that this gateway has leased and not used, for all keys together. Reads the whole
     * table.
     */
    public long leased() {
        return buckets.leased();
    }

    /** Returns the number of calls of the store. */
    public long questions() {
        return counts.questions.sum();
    }

    /** Returns how many decisions were made without the store, because it did not respond. */
    public long onLossDecisions() {
        return counts.onLoss.sum();
    }

    /** Returns how many requests were refused because the store had not yet responded to the request for units. */
    public long unleased() {
        return counts.unleased.sum();
    }

    /** Returns the longest time for which a request waits for the store, in nanoseconds. */
    public long deadline() {
        return fleet.store().deadline();
    }

    boolean isOf(SharedLimitStore store) {
        return fleet == store;
    }

    int used(long now) {
        return buckets.used(now);
    }

    // ---- for buckets

    @Nullable
    SharedBucket find(long key) {
        return buckets.find(key);
    }

    /** @param values a text that contains the values of the key without ambiguity */
    SharedBucket add(long key, CharSequence values, long now) {
        return buckets.add(named(key, "key\n" + values, now), now);
    }

    SharedBucket ofSet(int set) {
        return named(0, "set\n" + set, now());
    }

    private SharedBucket named(long key, String rest, long now) {
        BucketName name = BucketName.of(identity + rest);
        return new SharedBucket(key, name, this, fleet.partOf(name.text()), now);
    }

    BucketStore.Bucket bucket(BucketName name) {
        return new BucketStore.Bucket(name.text(), interval, burst);
    }

    void ask(BucketName name, long owed, long wanted, BucketStore.Outcome outcome) {
        counts.questions.increment();
        fleet.store().ask(bucket(name), owed, wanted, outcome);
    }

    long now() {
        return fleet.now();
    }

    double interval() {
        return interval;
    }

    long burst() {
        return burst;
    }

    /** Returns the nanoseconds in which an empty bucket becomes full. */
    long refill() {
        return (long) Math.rint(burst * interval);
    }

    /** Returns the maximum number of units that requests may use on debt. */
    long debt() {
        return lease;
    }

    boolean isPrepaid() {
        return prepaid;
    }

    OnLoss onLoss() {
        return config.onLoss();
    }

    void countLoss() {
        counts.onLoss.increment();
    }

    void countUnleased() {
        counts.unleased.increment();
    }
}
