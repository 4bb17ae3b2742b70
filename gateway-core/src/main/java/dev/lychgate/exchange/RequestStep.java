package dev.lychgate.exchange;

/**
 * The path of a request through the gateway as a list of steps, each with the reason for its position. {@link RequestSteps}
 * runs the steps. If a request waits at a step, for example for a filter, a turn or a connection, it then continues after
 * that step. A retry continues at {@link #BALANCE}.
 *
 * <p>A step that waits must first pause reading of the request body, because an exchange without attempts discards body
 * chunks. If a filter chooses another route, the request continues at {@link #AUTHENTICATE_ROUTE}; {@link #ROUTE} does not run
 * again.
 */
enum RequestStep {
    /** Bans, address lists and client limits are checked early, so that a request that they reject causes no further cost. */
    CLIENT_LIMITS,
    /**
     * Rejects requests that loop, handles {@code Max-Forwards}, and redirects to HTTPS. This happens before any filter
     * runs, so that such requests cost little.
     */
    ADMIT,
    /**
     * The rate limits of the listener count a request before any filter runs, because a flood of requests must cost as little
     * as possible.
     */
    LISTENER_RATES,
    /**
     * The listener authenticates the sender before any filter runs and before the route match, so that filters and predicates
     * can rely on the identity.
     */
    AUTHENTICATE_LISTENER,
    /** Global inbound filters run before route matching, because their changes influence the choice of the route. */
    GLOBAL_FILTERS,
    /** The route is matched, unless a filter has chosen one. */
    ROUTE,
    /** The route authenticates the sender before any other policy of the route reads the identity. */
    AUTHENTICATE_ROUTE,
    /** Authorizers run before the rate limits of the route, so that a rejected request does not use units of another sender. */
    AUTHORIZE,
    /**
     * The rate limits of the route count a request before the filters of the route run, because those filters may be expensive.
     */
    ROUTE_RATES,
    /** The inbound filters of the route run. They may choose another route once. */
    ROUTE_FILTERS,
    /**
     * A stored response is sent in place of forwarding the request. All inbound filters have run before, because they may
     * reject the request, and they determine the key of the response.
     */
    CACHE,
    /**
     * Endpoint filters may respond instead of the route. They run after all inbound filters, because an inbound filter
     * may reject the request.
     */
    ENDPOINT_FILTERS,
    /** Routes that redirect or have a fixed response respond here. Other requests continue with a target. */
    RESPOND,
    /**
     * Load is shed before a request uses resources, but after filters, so that filters can respond to health checks even
     * under overload.
     */
    OVERLOAD,
    /** Faults are injected just before the request would be forwarded: after all filters, and before any limit or attempt. */
    FAULTS,
    /**
     * The path and forwarding fields are rewritten after all filters have run, so that filters can't alter values that
     * origins trust.
     */
    REWRITE,
    /** The deadline of the exchange covers all steps below: all attempts and the pauses between them. */
    DEADLINE,
    /**
     * A request acquires the permits of its route. It keeps them during retries, so that retries can't exceed the limit
     * of the route.
     */
    ROUTE_LIMITS,
    /**
     * The request is copied for a mirror. Requests that were rejected above are not copied. The copy has the head and the body
     * that the origin receives.
     */
    MIRROR,
    /** The retry budget and the replay buffer are prepared. The steps below are repeated for each attempt. */
    RETRY,
    /** An endpoint is chosen for the attempt. Endpoints at which an earlier attempt failed are avoided. */
    BALANCE,
    /**
     * Circuit breaker, bulkhead and adaptive limit admit the attempt. They follow the balancer, because they may guard
     * a single endpoint.
     */
    GUARDS,
    /**
     * The attempt may wait for a later iteration of the event loop. In one iteration, the loop starts a limited number
     * of attempts, so that a burst does not delay active requests.
     */
    TURN,
    /**
     * A connection is leased last, so that no connection is held while the request waits at other steps. The request
     * body is not read while the attempt waits for the connection.
     */
    LEASE,
    /** The request head is written. The body follows as it arrives. */
    SEND
}
