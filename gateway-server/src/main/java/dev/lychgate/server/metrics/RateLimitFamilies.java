package dev.lychgate.server.metrics;

import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.limit.SharedLimit;
import dev.lychgate.server.metrics.Families.Group;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The metric families of rate limits. Not thread-safe. */
final class RateLimitFamilies {
    private final Group<RateLimit> all;

    RateLimitFamilies(Families families) {
        all = families.<RateLimit>group("lychgate_rate_limit_", "limit")
                .counter(
                        "requests{outcome}",
                        "Requests that a rate limit counted: admitted, refused, or over a limit that is not enforced",
                        (limit, row) -> {
                            row.set(limit.admitted(), "admitted");
                            row.set(limit.refused(), limit.isEnforced() ? "refused" : "beyond");
                        })
                .counter(
                        "crowded",
                        "Decisions by a bucket that several keys share, because more keys than buckets were in use",
                        RateLimit::crowded)
                .gauge("keys", "Keys with a bucket that is not full", RateLimit::keysInUse)
                .counter(
                        "questions",
                        "Requests to the store of a rate limit that gateways share",
                        limit -> of(limit, 0, SharedLimit::questions))
                .counter(
                        "on_loss",
                        "Decisions without the store of a rate limit that gateways share, because the store did not"
                                + " respond",
                        limit -> of(limit, 0, SharedLimit::onLossDecisions))
                .counter(
                        "unleased",
                        "Requests that were refused while their units were being leased from the store",
                        limit -> of(limit, 0, SharedLimit::unleased))
                .gauge(
                        "leased",
                        "Units that are leased from the store and not used",
                        limit -> of(limit, 0, SharedLimit::leased))
                .gauge(
                        "lost",
                        "1 while the store of the rate limit does not respond, else 0",
                        limit -> of(limit, 0, shared -> shared.isLost() ? 1 : 0))
                .gauge("gateways", "Gateways that share the rate limit", limit -> of(limit, 1, SharedLimit::gateways));
    }

    /** @param alone the value for a rate limit that the gateway does not share */
    private static double of(RateLimit limit, double alone, ToDoubleFunction<SharedLimit> value) {
        SharedLimit shared = limit.shared();
        return shared == null ? alone : value.applyAsDouble(shared);
    }

    /**
     * Reads the counts of the rate limits.
     *
     * @param limits null if the configuration has none
     */
    void read(@Nullable RateLimits limits) {
        if (limits != null) {
            limits.all().forEach(limit -> all.read(limit, limit.name()));
        }
    }
}
