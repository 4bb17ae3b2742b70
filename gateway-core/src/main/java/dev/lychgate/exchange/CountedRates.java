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
 * The rate limits that have counted a request. Each limit counts a request once, even if a filter chooses another route. If one
 * limit of a step refuses the request, the other limits of the same step undo their count.
 */
final class CountedRates {
    /** Header names of draft-ietf-httpapi-ratelimit-headers-10. */
    private static final AsciiString POLICY = AsciiString.cached("ratelimit-policy");

    private static final AsciiString STATE = AsciiString.cached("ratelimit");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * A limit that has counted the request.
     *
     * @param left the remaining units. If the limit has refused the request: the time after which the limit would admit
     *         the request, in nanoseconds, as a negative number
     */
    private record Counted(RateLimit limit, long key, long left) {}

    private final List<Counted> all = new ArrayList<>(2);
    private int retryAfter;

    /**
     * Counts a request in all of {@code limits}.
     *
     * @param route the id of the request's route; null before routing
     * @return the error for a refused request; null if the request is admitted
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

    /**
     * Charges bytes and cost to the limits that count them. Called at the end of the exchange. Refused requests are not charged.
     */
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

    /**
     * Returns the number of seconds after which the refused request would be admitted, at least 1; 0 if no request was refused.
     */
    int retryAfter() {
        return retryAfter;
    }

    /** Adds the header fields that announce enforced limits. */
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
