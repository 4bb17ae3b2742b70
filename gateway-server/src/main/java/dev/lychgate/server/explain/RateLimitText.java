package dev.lychgate.server.explain;

import dev.lychgate.config.PoliciesConfig;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.limit.SharedLimit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Describes a rate limit by its name, for an explanation. If gateways share the limit, also describes how decisions are
 * made.
 */
public final class RateLimitText {
    private RateLimitText() {}

    /** Describes a limit of a running gateway, such as {@code tenants (fleet, leased, 3 gateways)}. */
    public static String of(String name, @Nullable RateLimits limits) {
        RateLimit limit = limits == null ? null : limits.get(name);
        SharedLimit shared = limit == null ? null : limit.shared();
        if (limit == null || shared == null) {
            return name;
        }
        String lost = ", store lost: " + limit.config().onLoss().name().toLowerCase(Locale.ROOT);
        return name + " (fleet, " + (shared.isExact() ? "exact" : "leased") + ", " + shared.gateways() + " gateways"
                + (shared.isLost() ? lost : "") + ")";
    }

    /** Describes a limit of a configuration, such as {@code tenants (fleet)}. */
    public static String of(String name, PoliciesConfig policies) {
        RateLimitConfig limit = policies.rateLimits().get(name);
        return limit != null && limit.isShared() ? name + " (fleet)" : name;
    }
}
