package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * What a route does about failures and overload.
 *
 * @param retry when a request is sent again; null = never, the default
 * @param bulkhead how many of its exchanges may be under way; null = no limit, the default
 * @param priority who goes first when the gateway is overloaded: 0 is refused first, 9 never; default 5
 * @param onFailure what is done when all attempts have failed; default {@link OnFailure#FAIL_FAST}
 * @param deadlineHeader the field that tells an origin how long it has, in milliseconds; null = none, the default
 */
public record RouteResilience(
        @Nullable RetryConfig retry,
        @Nullable BulkheadConfig bulkhead,
        int priority,
        OnFailure onFailure,
        @Nullable String deadlineHeader) {
    public static final int HIGHEST_PRIORITY = 9;

    public static final RouteResilience DEFAULT = new RouteResilience(null, null, 5, OnFailure.FAIL_FAST);

    public RouteResilience {
        Expect.between(0, HIGHEST_PRIORITY, "priority", priority);
        if (deadlineHeader != null) {
            Expect.fieldName("deadline-header", deadlineHeader);
            Expect.that(
                    !OwnFields.isReserved(deadlineHeader) && !OwnFields.isTold(deadlineHeader),
                    "deadline-header",
                    deadlineHeader,
                    "a field that is neither about the connection nor the gateway's own");
        }
    }

    /** Origins are not told how long they have. */
    public RouteResilience(
            @Nullable RetryConfig retry, @Nullable BulkheadConfig bulkhead, int priority, OnFailure onFailure) {
        this(retry, bulkhead, priority, onFailure, null);
    }
}
