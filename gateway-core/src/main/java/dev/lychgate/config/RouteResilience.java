package dev.lychgate.config;

import java.util.Locale;
import java.util.Set;
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
    private static final Set<String> OURS = Set.of(
            "connection",
            "content-length",
            "expect",
            "forwarded",
            "host",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "via",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-port",
            "x-forwarded-proto",
            "x-request-id");

    public static final RouteResilience DEFAULT = new RouteResilience(null, null, 5, OnFailure.FAIL_FAST);

    public RouteResilience {
        Expect.between(0, HIGHEST_PRIORITY, "priority", priority);
        if (deadlineHeader != null) {
            Expect.that(
                    deadlineHeader.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}"),
                    "deadline-header",
                    deadlineHeader,
                    "the name of a header field");
            Expect.that(
                    !OURS.contains(deadlineHeader.toLowerCase(Locale.ROOT)),
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
