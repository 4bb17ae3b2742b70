package dev.lychgate.cache;

/** Decides for one request whether a stale stored response may be sent (RFC 9111, 4.2.4). */
final class Staleness {
    private final CachePolicy policy;
    private final CacheRequest request;
    private final StaleUnderOverload overload;

    Staleness(CachePolicy policy, CacheRequest request, StaleUnderOverload overload) {
        this.policy = policy;
        this.request = request;
        this.overload = overload;
    }

    private static long late(StoredResponse stored, long now) {
        return -stored.freshness.remaining(now);
    }

    /** Returns whether the client accepts the stale response. */
    boolean isAccepted(StoredResponse stored, long now) {
        long late = late(stored, now);
        return late >= 0 && request.acceptsStale(stored, late, now);
    }

    /** Returns whether the stale response may be sent while it is validated in the background. */
    boolean isServedWhileValidated(StoredResponse stored, long now) {
        long late = late(stored, now);
        return late >= 0
                && late < stored.stale(stored.directives.staleWhileRevalidate(), policy.staleWhileRevalidate())
                && !request.wantsFresh();
    }

    /**
     * Returns whether the stale response may be sent because the origin is overloaded and must not receive the request.
     */
    boolean precedesOrigin(StoredResponse stored, long now) {
        long late = late(stored, now);
        return late >= 0 && late < underOverload(stored) && !request.wantsFresh() && overload.precedesOrigin();
    }

    /** Returns whether the stale response may replace the error of a request that failed at the origin. */
    boolean replacesFailure(StoredResponse stored, long now) {
        return !stored.directives.noCache() && late(stored, now) < despiteFailure(stored);
    }

    /** Returns whether the stale response may replace the error of a request that was shed. */
    boolean replacesRefusal(StoredResponse stored, long now) {
        return !stored.directives.noCache()
                && late(stored, now) < Math.max(despiteFailure(stored), underOverload(stored));
    }

    private long despiteFailure(StoredResponse stored) {
        long ofResponse = stored.stale(stored.directives.staleIfError(), policy.staleIfError());
        return Math.max(ofResponse, request.staleIfError(stored));
    }

    /**
     * Returns for how long the response may be sent under overload after the end of its lifetime, in seconds. If the
     * response states a time for failures, this time takes precedence, because it is a decision of the origin.
     */
    private long underOverload(StoredResponse stored) {
        return stored.stale(stored.directives.staleIfError(), overload.seconds());
    }
}
