package dev.lychgate.config;

import java.util.Map;

/**
 * The policies to which routes and listeners refer by name. Each component is a separate section in the file.
 *
 * @param rateLimits the rate limits by name
 */
public record PoliciesConfig(Map<String, RateLimitConfig> rateLimits) {
    private static final Key<Map<String, RateLimitConfig>> RATE_LIMITS = Key.typed(
                    "rate-limits",
                    Form.mapping(Form.<RateLimitConfig>section(values -> RateLimitConfig.KEYS.read(values)), "name"),
                    Map.of())
            .about("the [rate limits](rate-limits.md), by name; routes and listeners name them in `rate-limit`");

    static final Keys<PoliciesConfig> KEYS = Keys.of(PoliciesConfig::new, RATE_LIMITS);

    public static final PoliciesConfig NONE = new PoliciesConfig(Map.of());

    public PoliciesConfig {
        rateLimits = Expect.copy(rateLimits);
        rateLimits.keySet().forEach(name -> Form.NAMED.check("rate-limits", name));
    }
}
