package dev.lychgate.exchange;

import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.Question;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.SharedBucket;
import dev.lychgate.loop.Loop;
import dev.lychgate.route.Ingress;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits that have counted a request. Each limit counts a request once for each key, even if both a listener
 * and a route refer to the limit. If a filter changes the route, the request may have a different key on the new route;
 * the limit then also counts the request for the new key.
 *
 * <p>If one limit refuses the request, all other limits of the same call of {@link #count} undo their counts.
 */
final class CountedRates {
    /** The joint result of the limits that one call of {@link CountedRates#count} checks. */
    enum Verdict {
        /** All limits admit the request. */
        ADMITTED,
        /** One limit refuses the request, see {@link CountedRates#refusal}. */
        REFUSED,
        /** The store of a shared limit must decide, see {@link CountedRates#question}. */
        UNDECIDED
    }

    /** The header fields of draft-ietf-httpapi-ratelimit-headers-10. */
    private static final AsciiString POLICY = AsciiString.cached("ratelimit-policy");

    private static final AsciiString STATE = AsciiString.cached("ratelimit");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * Describes the count of a request by one limit for one key.
     *
     * @param bucket the bucket of a shared limit; null if the limit is not shared
     * @param left the number of units that are left; if the limit has refused the request, the negated number of
     *     nanoseconds until the limit would admit the request
     */
    private record Counted(
            RateLimit limit, long key, @Nullable SharedBucket bucket, long left) {}

    /**
     * A limit that waits for the decision of its store.
     *
     * @param following the limits that follow this limit
     * @param before the number of elements of {@link #all} that earlier calls of {@link CountedRates#count} have added;
     *     a refusal does not undo these counts
     */
    private record Asked(RateLimit limit, List<RateLimit> following, int before, long key, SharedBucket bucket) {}

    private final List<Counted> all = new ArrayList<>(2);
    private int retryAfter;
    /** Null if no limit of the exchange counts bytes. */
    private @Nullable ByteMeter meter;
    /** The number of bytes of the exchange that have been charged. */
    private long charged;

    private @Nullable RateLimit refusing;
    private @Nullable Asked asked;
    /** Ends the wait for a store; null if the request does not wait. */
    @Nullable
    Runnable waiting;

    /**
     * Counts a request in all of {@code limits}.
     *
     * @param route the id of the request's route; null before the route is known
     */
    Verdict count(List<RateLimit> limits, RequestHead head, Ingress ingress, @Nullable String route) {
        return count(limits, all.size(), head, ingress, route);
    }

    private Verdict count(
            List<RateLimit> limits, int before, RequestHead head, Ingress ingress, @Nullable String route) {
        long now = RateLimit.now();
        for (int i = 0; i < limits.size(); i++) {
            RateLimit limit = limits.get(i);
            long key = limit.key(head, ingress, route);
            if (has(limit, key)) {
                continue;
            }
            SharedBucket bucket = limit.shared() == null ? null : limit.bucket(key, head, ingress, route, now);
            long left = bucket == null ? limit.take(key, now) : limit.take(bucket, now);
            if (bucket != null && left == RateLimit.UNDECIDED) {
                asked = new Asked(limit, limits.subList(i + 1, limits.size()), before, key, bucket);
                return Verdict.UNDECIDED;
            }
            if (isRefused(new Counted(limit, key, bucket, left), before, now, head, ingress, route)) {
                return Verdict.REFUSED;
            }
        }
        return Verdict.ADMITTED;
    }

    private boolean isRefused(
            Counted counted, int before, long now, RequestHead head, Ingress ingress, @Nullable String route) {
        RateLimit limit = counted.limit;
        if (counted.left < 0) {
            limit.noteRefusal(counted.key, head, ingress, route, now);
        }
        boolean refused = counted.left < 0 && limit.isEnforced();
        if (refused) {
            for (Counted admitted : all.subList(before, all.size())) {
                if (admitted.left >= 0) {
                    admitted.limit.giveBack(admitted.key, admitted.bucket, now);
                }
            }
            all.clear();
            retryAfter = seconds(-counted.left);
            refusing = limit;
        }
        all.add(counted);
        return refused;
    }

    /** Returns the question that must be sent to the store after {@link Verdict#UNDECIDED}. */
    Question question(Question.Listener onDecided) {
        return requireAsked().bucket.question(onDecided);
    }

    /** Returns the time limit for the response of the store, in nanoseconds. */
    long patience() {
        return requireAsked().bucket.deadline();
    }

    /** Continues {@link #count(List, RequestHead, Ingress, String)} with the response of the store. */
    Verdict onResponse(Question question, RequestHead head, Ingress ingress, @Nullable String route) {
        Asked by = requireAsked();
        asked = null;
        Counted counted = new Counted(by.limit, by.key, by.bucket, by.limit.take(question));
        return isRefused(counted, by.before, RateLimit.now(), head, ingress, route)
                ? Verdict.REFUSED
                : count(by.following, by.before, head, ingress, route);
    }

    private Asked requireAsked() {
        if (asked == null) {
            throw new IllegalStateException("no limit waits for its store");
        }
        return asked;
    }

    /** Ends the wait for a store, because the exchange fails or has ended. */
    void cancel() {
        if (waiting != null) {
            waiting.run();
        }
    }

    /** Returns the reason for the refusal. Called after the result {@link Verdict#REFUSED}. */
    GatewayError refusal() {
        String name = refusing == null ? "" : refusing.name();
        return GatewayError.downstream(
                ErrorKind.RATE_LIMITED, "the rate limit " + name + " admits no more requests now");
    }

    /**
     * If a limit of an admitted exchange counts bytes, begins to charge the bytes of the exchange regularly, until the
     * exchange ends.
     */
    void meter(ExchangeRecord exchange, Loop loop) {
        if (meter == null && hasBytes()) {
            meter = new ByteMeter(this, exchange, loop);
            meter.begin();
        }
    }

    private boolean hasBytes() {
        for (Counted counted : all) {
            if (counted.limit.config().unit() == RateLimitConfig.Unit.BYTES) {
                return true;
            }
        }
        return false;
    }

    /** Charges bytes to the limits that count them. {@code total} is the number of bytes of the exchange so far. */
    void chargeBytes(long total) {
        charge(total - charged, 0);
        charged = total;
    }

    /**
     * Charges the cost of the ended exchange, and its bytes that have not been charged yet.
     *
     * @param total all bytes of the exchange
     */
    void end(long total, long cost) {
        cancel();
        if (meter != null) {
            meter.end();
        }
        charge(total - charged, cost);
    }

    /** Charges bytes and cost to the limits that count them. Refused requests are not charged. */
    private void charge(long bytes, long cost) {
        if (retryAfter == 0 && (bytes > 0 || cost > 0)) {
            long now = RateLimit.now();
            for (Counted counted : all) {
                counted.limit.charge(counted.key, counted.bucket, bytes, cost, now);
            }
        }
    }

    private boolean has(RateLimit limit, long key) {
        for (Counted counted : all) {
            if (counted.limit == limit && counted.key == key) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the number of seconds, at least 1, after which the refused request would be admitted. Returns 0 if no
     * request was refused.
     */
    int retryAfter() {
        return retryAfter;
    }

    /**
     * Adds the header fields that announce enforced limits. If a limit has counted the request for several keys, the
     * fields describe the key with the fewest units left.
     */
    void announce(HttpHeaders headers) {
        for (int i = 0; i < all.size(); i++) {
            Counted counted = all.get(i);
            RateLimit limit = counted.limit;
            if (limit.isEnforced() && i == scarcest(limit)) {
                Rate rate = limit.config().limit();
                headers.add(POLICY, limit.policy());
                long left = Math.max(0, counted.left);
                double wait = counted.left < 0 ? -counted.left : (limit.config().capacity() - left) * rate.interval();
                headers.add(STATE, "\"" + limit.name() + "\";r=" + left + ";t=" + seconds((long) wait));
            }
        }
    }

    /** Returns the index of the key with the fewest units left among the keys of a limit. */
    private int scarcest(RateLimit limit) {
        int scarcest = -1;
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).limit == limit && (scarcest < 0 || all.get(i).left < all.get(scarcest).left)) {
                scarcest = i;
            }
        }
        return scarcest;
    }

    private static int seconds(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, (nanos + SECOND - 1) / SECOND));
    }
}
