package dev.lychgate.config;

import java.time.Duration;

/**
 * The use of stale responses of the cache while an upstream is overloaded.
 *
 * @param after the time for which requests must be rejected continuously. After this time, if the cache contains a
 *     stale response to a request of low priority, the gateway sends this response and does not forward the request
 * @param maxStale the maximum time for which a stored response may be used after the end of its lifetime
 * @param below requests with a priority below this number have low priority
 */
public record OverloadStaleConfig(Duration after, Duration maxStale, int below) {
    private static final Key<Duration> AFTER = Key.duration("after", "3s")
            .atLeast("100ms")
            .about("the time for which requests to an upstream must be rejected continuously; at least `brownout`");
    private static final Key<Duration> MAX_STALE = Key.duration("max-stale", "1h")
            .atLeast("1s")
            .about("the time after the end of its lifetime for which a stored response is sent");
    private static final Key<Integer> BELOW = Key.number("below", RouteResilience.HIGHEST_PRIORITY)
            .between(1, RouteResilience.HIGHEST_PRIORITY + 1)
            .about("the first priority that is not low: requests with a priority below this number get stale "
                    + "responses in place of being forwarded; with `10`, all requests");

    static final Keys<OverloadStaleConfig> KEYS = Keys.of(OverloadStaleConfig::new, AFTER, MAX_STALE, BELOW);

    public OverloadStaleConfig {
        KEYS.check(after, maxStale, below);
    }
}
