package dev.lychgate.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The path of a request through the gateway: the list of its steps, in order, each with the reason for its position.
 * {@link RequestSteps} runs it. A request may wait at a step (for a filter, a turn, a connection) and then continues after
 * it; a retry continues at {@link #BALANCE}.
 *
 * <p>Positions of future policies: authentication of a listener before {@link #GLOBAL_FILTERS}; authentication of a route and
 * authorization before {@link #ROUTE_RATES}; the cache before {@link #ENDPOINT_FILTERS}.
 *
 * <p>A step that waits first pauses reading of the request body, because an exchange without attempts discards the body. A
 * filter that chooses another route continues at {@link #ROUTE_RATES}; {@link #ROUTE} does not run again.
 */
enum RequestStep {
    /** Rejects loops, handles {@code Max-Forwards} and redirects to HTTPS before any filter runs, to keep their cost low. */
    ADMIT,
    /** Bans, address lists and the limits of a client come before everything that such a request must not cost. */
    CLIENT_LIMITS,
    /** Rate limits of the listener count a request before any filter runs, because a flood must cost as little as possible. */
    LISTENER_RATES,
    /** Global inbound filters run before the route match, because their changes decide the route. */
    GLOBAL_FILTERS,
    /** The route is matched, unless a filter has chosen one. */
    ROUTE,
    /** Rate limits of the route count a request before its filters, which may be expensive. */
    ROUTE_RATES,
    /** The route's inbound filters run as soon as the route is known. They may choose another route, once. */
    ROUTE_FILTERS,
    /** Endpoint filters may respond in place of the route: after all inbound filters, which may reject the request. */
    ENDPOINT_FILTERS,
    /** Redirects and fixed responses end here. A request for an origin continues with its target. */
    RESPOND,
    /** Load is shed before a request uses resources, but after filters, which respond to health checks under overload. */
    OVERLOAD,
    /** Faults of rehearsals are injected in place of the origin: all filters have run, and no limit and no attempt has begun. */
    FAULTS,
    /** Path and forwarding fields are rewritten after all filters, so that filters can't alter values that origins trust. */
    REWRITE,
    /** The exchange's deadline covers everything below: all attempts and the pauses between them. */
    DEADLINE,
    /** The route's permits: a request keeps one while it is retried, so that retries can't exceed the route's limit. */
    ROUTE_LIMITS,
    /** A request that is refused above is not copied for a mirror. The copy has the head and body that the origin receives. */
    MIRROR,
    /** Prepares the retry budget and the replay buffer. The steps below are repeated for each attempt. */
    RETRY,
    /** An endpoint is chosen anew for each attempt; endpoints that failed before are avoided. */
    BALANCE,
    /** Circuit breaker, bulkhead and adaptive limit run after the balancer, because they may guard one endpoint. */
    GUARDS,
    /** A loop turn starts a bounded number of attempts, so that a burst does not delay active requests. */
    TURN,
    /** A connection is leased last, so that none is held during other waits; the request body is not read meanwhile. */
    LEASE,
    /** The head is written, and the body follows as it arrives. */
    SEND;

    private static final RequestStep[] ALL = values();

    /** Returns the next step; null after the last. */
    @SuppressWarnings("EnumOrdinal") // the order of the constants is the path
    @Nullable
    RequestStep next() {
        return this == SEND ? null : ALL[ordinal() + 1];
    }
}
