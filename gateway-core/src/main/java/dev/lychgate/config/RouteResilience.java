package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What a route does about failures and overload.
 *
 * @param retry when a request is sent again; null = never, the default
 * @param bulkhead how many of its exchanges may be under way; null = no limit, the default
 * @param priority who goes first when the gateway is overloaded: 0 is refused first, 9 never; default 5
 * @param onFailure what is done when all attempts have failed; default {@link OnFailure#FAIL_FAST}
 */
public record RouteResilience(
        @Nullable RetryConfig retry, @Nullable BulkheadConfig bulkhead, int priority, OnFailure onFailure) {
    public static final int HIGHEST_PRIORITY = 9;
    public static final RouteResilience DEFAULT = new RouteResilience(null, null, 5, OnFailure.FAIL_FAST);

    public RouteResilience {
        Expect.between(0, HIGHEST_PRIORITY, "priority", priority);
    }
}
