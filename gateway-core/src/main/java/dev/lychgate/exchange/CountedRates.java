package dev.lychgate.exchange;

import dev.lychgate.config.Rate;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.route.Ingress;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rate limits that have counted a request. Each counts it once, even if a filter chooses another route. If one refuses it, the others
 * that were asked with it do not count it.
 */
final class CountedRates {
    /** Of draft-ietf-httpapi-ratelimit-headers-10. */
    private static final AsciiString POLICY = AsciiString.cached("ratelimit-policy");

    private static final AsciiString STATE = AsciiString.cached("ratelimit");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** @param left the units that are left; if the limit has refused the request, the negative nanoseconds until it would admit it */
    private record Counted(RateLimit limit, long key, long left) {}

    private final List<Counted> all = new ArrayList<>(2);
    private int retryAfter;

    /**
     * Counts a request by limits.
     *
     * @param route the id of its route; null before the route is known
     * @return why the request is refused; null if it is not
     */
    @Nullable
    GatewayError count(RateLimit[] limits, RequestHead head, Ingress ingress, @Nullable String route) {
        int before = all.size();
        long now = RateLimit.now();
        for (RateLimit limit : limits) {
            if (has(limit)) {
                continue;
            }
            long key = limit.key(head, ingress, route);
            long left = limit.take(key, now);
            if (left < 0) {
                limit.noteRefusal(key, head, ingress, route, now);
            }
            if (left < 0 && limit.isEnforced()) {
                for (Counted admitted : all.subList(before, all.size())) {
                    if (admitted.left >= 0) {
                        admitted.limit.giveBack(admitted.key, now);
                    }
                }
                all.clear();
                all.add(new Counted(limit, key, left));
                retryAfter = seconds(-left);
                return GatewayError.downstream(
                        ErrorKind.RATE_LIMITED, "the rate limit " + limit.name() + " admits no more requests now");
            }
            all.add(new Counted(limit, key, left));
        }
        return null;
    }

    /** The exchange has ended: limits of bytes or cost count it. A refused request has neither. */
    void charge(long bytes, long cost) {
        if (retryAfter == 0 && (bytes > 0 || cost > 0)) {
            long now = RateLimit.now();
            for (Counted counted : all) {
                counted.limit.charge(counted.key, bytes, cost, now);
            }
        }
    }

    private boolean has(RateLimit limit) {
        for (Counted counted : all) {
            if (counted.limit == limit) {
                return true;
            }
        }
        return false;
    }

    /** Returns the seconds until the refused request would be admitted, at least 1. */
    int retryAfter() {
        return retryAfter;
    }

    /** Adds the fields that announce enforced limits to the response. */
    void announce(HttpHeaders headers) {
        for (Counted counted : all) {
            RateLimit limit = counted.limit;
            if (limit.isEnforced()) {
                Rate rate = limit.config().limit();
                headers.add(POLICY, limit.policy());
                long left = Math.max(0, counted.left);
                double wait = counted.left < 0 ? -counted.left : (limit.config().capacity() - left) * rate.interval();
                headers.add(STATE, "\"" + limit.name() + "\";r=" + left + ";t=" + seconds((long) wait));
            }
        }
    }

    private static int seconds(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, (nanos + SECOND - 1) / SECOND));
    }
}
