package dev.lychgate.exchange;

/**
 * The path of a request through the gateway as a list of steps, each with the reason for its position. {@link
 * RequestSteps} runs the steps. A request may wait at a step, for example for a filter, a turn or a connection, and
 * then continues with the next step. A retry continues at {@link #BALANCE}.
 *
 * <p>A step that waits must first pause reading of the request body, because an exchange without attempts discards body
 * chunks. If a filter chooses another route, the request continues at {@link #AUTHENTICATE_ROUTE}; {@link #ROUTE} does
 * not run again.
 */
enum RequestStep {
    /** Bans, address lists and client limits are checked early, so that a rejected request causes no further cost. */
    CLIENT_LIMITS,
    /**
     * Rejects requests that loop, handles {@code Max-Forwards}, and redirects to HTTPS. This step precedes all filters,
     * so that such requests cost little.
     */
    ADMIT,
    /**
     * The rate limits of the listener count a request before any filter runs, because a flood of requests must cost as
     * little as possible.
     */
    LISTENER_RATES,
    /**
     * The listener authenticates the sender before any filter runs and before the route match, so that filters and
     * predicates can rely on the identity.
     */
    AUTHENTICATE_LISTENER,
    /** Global inbound filters run before route matching, because their changes influence the choice of the route. */
    GLOBAL_FILTERS,
    /** The route is matched, unless a filter has chosen one. */
    ROUTE,
    /** The route authenticates the sender before it applies policies that read the identity. */
    AUTHENTICATE_ROUTE,
    /**
     * Authorizers run before the rate limits of the route, so that a rejected request cannot use up the rate limit of
     * another sender.
     */
    AUTHORIZE,
    /**
     * The rate limits of the route count a request before the filters of the route run, because those filters may be
     * expensive.
     */
    ROUTE_RATES,
    /** The inbound filters of the route run. A filter may choose another route, once per exchange. */
    ROUTE_FILTERS,
    /**
     * The cache may send a stored response instead of forwarding the request. This step follows all inbound filters,
     * because they may reject the request, and because they determine the key of the stored response.
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
     * Requests are shed before they use resources. This step follows the filters, so that filters can respond to health
     * checks even under overload.
     */
    OVERLOAD,
    /**
     * Faults are injected just before the request would be forwarded: after all filters, and before any limit or
     * attempt.
     */
    FAULTS,
    /**
     * The path and forwarding fields are rewritten after all filters have run, so that filters can't alter values that
     * origins trust.
     */
    REWRITE,
    /** The deadline of the exchange is set. It covers all later steps: all attempts and the pauses between attempts. */
    DEADLINE,
    /**
     * A request acquires the permits of its route. The request keeps the permits during retries, so that retries cannot
     * exceed the limit of the route.
     */
    ROUTE_LIMITS,
    /**
     * The request is copied for a mirror. Requests that an earlier step has rejected are not copied. The copy has the
     * same head and body as the request to the origin.
     */
    MIRROR,
    /** The retry budget and the replay buffer are prepared. Later steps are repeated for each attempt. */
    RETRY,
    /** An endpoint is chosen for the attempt. The choice avoids endpoints at which an earlier attempt failed. */
    BALANCE,
    /**
     * Circuit breaker, bulkhead and adaptive limit admit the attempt. This step follows the choice of the endpoint,
     * because these guards may apply to a single endpoint.
     */
    GUARDS,
    /**
     * The attempt may wait for a later iteration of the event loop. The loop starts a limited number of attempts in
     * each iteration, so that a burst does not delay active requests.
     */
    TURN,
    /**
     * A connection is leased after all other waits, so that a waiting request holds no connection. The request body is
     * not read while the attempt waits for the connection.
     */
    LEASE,
    /** The request head is written. The body follows as it arrives. */
    SEND
}
