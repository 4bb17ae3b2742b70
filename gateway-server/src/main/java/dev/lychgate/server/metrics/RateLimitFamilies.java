package dev.lychgate.server.metrics;

import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.server.metrics.Families.Group;
import org.jspecify.annotations.Nullable;

/** The metric families of rate limits. Not thread-safe. */
final class RateLimitFamilies {
    private final Group<RateLimit> all;

    RateLimitFamilies(Families families) {
        all = families.<RateLimit>group("lychgate_rate_limit_", "limit")
                .counter(
                        "requests{outcome}",
                        "Requests that a rate limit counted: admitted, refused, or beyond a limit that is not enforced",
                        (limit, row) -> {
                            row.set(limit.admitted(), "admitted");
                            row.set(limit.refused(), limit.isEnforced() ? "refused" : "beyond");
                        })
                .counter(
                        "crowded",
                        "Decisions by a bucket that several keys share, because more keys than buckets were in use",
                        RateLimit::crowded)
                .gauge("keys", "Keys with a bucket that is not full", RateLimit::keysInUse);
    }

    /** Reads the counts of the rate limits. @param limits null if the configuration has none */
    void read(@Nullable RateLimits limits) {
        if (limits != null) {
            limits.all().forEach(limit -> all.read(limit, limit.name()));
        }
    }
}
