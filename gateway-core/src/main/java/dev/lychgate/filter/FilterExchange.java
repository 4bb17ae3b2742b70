package dev.lychgate.filter;

import dev.lychgate.config.Durations;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.tls.TlsSession;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A request and its response, as filters see and change them. A filter may use the exchange from the call of the filter
 * until the filter returns, or until the stage that it returned completes. Later use fails with an
 * {@link IllegalStateException}. Getters and setters are properties in Groovy.
 */
public interface FilterExchange {
    /** Returns the request. */
    FilterRequest getRequest();

    /**
     * Returns the request as it was before the first filter: method, path, query, host, headers and cookies. It lacks
     * the fields that the gateway removes before filters run, such as forwarding fields from clients that are not
     * trusted. Methods that change the request or read its body fail with an {@link IllegalStateException}.
     *
     * @throws IllegalStateException if the filter does not declare that it needs the original request, see {@link
     *     Filter#needsOriginalRequest}
     */
    FilterRequest getOriginalRequest();

    /**
     * Returns the response.
     *
     * @throws IllegalStateException in inbound, endpoint and error filters, which run before a response exists
     */
    FilterResponse getResponse();

    /** Returns the failure of the exchange; null if the exchange has not failed. */
    @Nullable
    GatewayError getError();

    /** Returns the request id, which identifies the exchange in all logs and in {@code X-Request-Id}. */
    String getRequestId();

    /**
     * Returns the id of the trace to which the exchange belongs, 32 hexadecimal digits. Null if the exchange belongs to
     * no trace, for example because {@code tracing} is not configured.
     */
    default @Nullable String getTraceId() {
        return null;
    }

    /**
     * Returns the value of the header {@code traceparent} for requests that the filter itself sends to other services.
     * The spans of these requests become children of the exchange's span. Null if the exchange belongs to no trace. In
     * requests to origins, the gateway sets the header itself.
     */
    default @Nullable String getTraceparent() {
        return null;
    }

    /**
     * Returns the wall-clock time at which the request arrived. It is the same for all filters of the exchange. In
     * contrast to {@code Instant.now()}, this method returns the recorded time when a recorded exchange is replayed.
     */
    default Instant getTime() {
        return Instant.now();
    }

    /**
     * Returns the random number generator of the exchange. It returns the same numbers when a recorded exchange is
     * replayed. The numbers are predictable and unfit for secrets. The generator is not thread-safe.
     */
    default RandomGenerator getRandom() {
        return new SplittableRandom();
    }

    /** Returns the number of the generation that the exchange uses. */
    long getGeneration();

    /** Returns the name of the listener that accepted the connection. */
    String getListener();

    /**
     * Returns the client's address. If the peer is a trusted proxy, this is the address that the proxy states in the
     * request. A proxy that is not trusted is treated as the client.
     */
    InetAddress getClientAddress();

    /** Returns the address of the peer of the connection, which is a trusted proxy or the client. */
    default InetAddress getPeerAddress() {
        return getClientAddress();
    }

    /**
     * Returns the TLS session of the client's connection: version, requested server name and client certificate. Null
     * without TLS.
     */
    default @Nullable TlsSession getTls() {
        return null;
    }

    /**
     * Returns the verified identity of the sender; null if no authenticator has accepted credentials and no filter has
     * set an identity.
     */
    default @Nullable Identity getIdentity() {
        return null;
    }

    /**
     * Sets the identity of the sender. Later filters, the authorization and the access log use this identity.
     * Predicates and rate limits that read claims use the claims of this identity. Only inbound filters may set the
     * identity.
     *
     * @param identity the verified identity; null for an unknown sender
     * @throws IllegalStateException if the request can no longer be changed
     */
    default void setIdentity(@Nullable Identity identity) {
        throw new UnsupportedOperationException("this exchange does not support setIdentity");
    }

    /** Returns the id of the route; null before routing, and if no route matches. */
    @Nullable
    String getRoute();

    /**
     * Selects the route. The predicates of this route are not evaluated. If a global inbound filter calls this method,
     * the gateway uses this route and does not search for a matching route. If an inbound filter of a route calls this
     * method, the request is sent to this route instead; filters of routes can do this at most once per exchange.
     *
     * @throws IllegalArgumentException if no route has the id
     * @throws IllegalStateException if the request can no longer be changed, if a filter of a route has already sent
     *     the request to another route, or if filters of the current phase cannot select a route
     */
    void setRoute(String id);

    /**
     * Returns the name of the endpoint filter that an earlier filter has chosen; null if no endpoint filter has been
     * chosen.
     */
    @Nullable
    String getEndpointFilter();

    /**
     * Chooses an endpoint filter of the generation, even if the route does not list it. If the chosen filter applies to
     * the exchange, it runs instead of the endpoint filters of the route.
     *
     * @param name the name of the filter, as in {@code /filters}
     * @throws IllegalArgumentException if no endpoint filter has the name
     * @throws IllegalStateException if the request can no longer be changed, or the caller is not an inbound filter
     */
    void setEndpointFilter(String name);

    /**
     * Returns the name of the upstream to which the request will be sent; null before routing, and if the route has no
     * upstream.
     */
    @Nullable
    String getUpstream();

    /**
     * Sends the request to this upstream instead of the route's upstream, redirect or fixed response. The rewrite and
     * the timeouts of the route still apply.
     *
     * @throws IllegalArgumentException if no upstream has the name
     * @throws IllegalStateException if the request can no longer be changed
     */
    void setUpstream(String name);

    /**
     * Begins a call-out, for asynchronous and blocking filters. If {@code upstream} is a URL with a path, this path
     * precedes the path that {@link FilterCall#method} sets. For a URL with a path, no method needs to be set: the
     * call-out is then a GET of this URL.
     *
     * @param upstream the name of an upstream, or a URL with an origin that {@code filters.call-outs} lists
     * @throws IllegalArgumentException if the configuration has no such upstream or origin
     * @throws IllegalStateException in a synchronous filter and in {@code applies}
     */
    FilterCall call(String upstream);

    /**
     * Sets the timeout for the origin's response head. This timeout replaces the setting {@code response-head} of the
     * route, and must be longer than zero.
     */
    void setResponseTimeout(Duration timeout);

    /**
     * Sets the timeout of the exchange, measured from this call. This timeout replaces the setting {@code exchange} of
     * the route, and must be longer than zero.
     */
    void setExchangeTimeout(Duration timeout);

    /**
     * Adds a header to the response that the client receives, whether an origin or the gateway produces the response.
     * The gateway adds the header after all outbound filters have run, and also adds it to error responses. Only
     * inbound and endpoint filters may call this method; outbound filters change the response itself.
     *
     * @throws IllegalArgumentException if name or value is malformed, or the gateway itself writes the header
     * @throws IllegalStateException if the request can no longer be changed
     */
    default void addResponseHeader(String name, String value) {
        throw new UnsupportedOperationException("this exchange does not support addResponseHeader");
    }

    /**
     * Declares that the response also depends on a request field, such as a field that this filter sets for the origin.
     * A stored response is then sent only to requests with equal values of the field, even if the origin sends no
     * {@code Vary}. Has no effect on routes without a cache. Only inbound filters may call this method.
     *
     * @param field the name of the field. The cache uses the values that the field has when the cache is searched
     * @throws IllegalArgumentException if the name is malformed
     * @throws IllegalStateException if the request can no longer be changed
     */
    default void varyBy(String field) {
        throw new UnsupportedOperationException("this exchange does not support varyBy");
    }

    /** Returns the cost of the exchange; 0 if no filter has set a cost. */
    default long getCost() {
        return 0;
    }

    /**
     * Sets the cost of the exchange, such as the number of tokens in a response. Rate limits with {@code unit: cost}
     * count the cost when the exchange ends. A body transform may also set the cost, until its body ends.
     *
     * @param units the cost, 0 or more; replaces an earlier cost
     */
    default void setCost(long units) {
        throw new UnsupportedOperationException("this exchange does not support setCost");
    }

    /**
     * Returns whether filters should reduce the cost of the exchange, because its upstream is overloaded. In this case,
     * a filter may omit optional work, respond itself, or choose another upstream.
     *
     * <p>Always false without the configuration section {@code overload}, before routing, and if the route has no
     * upstream. The first result for an upstream stays the same for the whole exchange. A replay of a recording returns
     * the recorded value.
     */
    default boolean isBrownout() {
        return false;
    }

    /**
     * Bans the client on all listeners: from now on, its new connections are closed, and its requests are rejected with
     * 403. This exchange continues. The gateway logs the ban. If the client already has a longer ban, that ban stays in
     * force. If the gateway already bans the maximum number of clients, this client is not banned.
     *
     * @param time the length of the ban; more than zero, at most 30 days
     * @param reason the reason, for the log and for operators. The reason may contain text of the client: each control
     *     character becomes a blank, and only the first 200 characters are kept
     * @throws IllegalArgumentException if the time is not permitted
     */
    default void banClient(Duration time, String reason) {
        throw new UnsupportedOperationException("this exchange has no client");
    }

    /** Calls {@link #banClient(Duration, String)} with a time in text form, such as {@code 10m}. */
    default void banClient(String time, String reason) {
        banClient(Durations.parse(time), reason);
    }

    /** Returns the value of a property. The value stays the same until the exchange ends. */
    default <T> T get(FilterProperty<T> property) {
        return property.get();
    }

    /** Returns the value that filters have stored under {@code key}; null if there is none. */
    <T> @Nullable T get(AttributeKey<T> key);

    /** Stores a value on the exchange for filters that run later; null removes the stored value. */
    <T> void set(AttributeKey<T> key, @Nullable T value);

    /**
     * Returns the value that filters have stored under a name; null if there is none. In Groovy: {@code
     * exchange['customer']}.
     *
     * @see #get(AttributeKey) values under typed keys, which are separate from the values under names
     */
    default @Nullable Object getAt(String name) {
        return get(AttributeKey.of(name, Object.class));
    }

    /**
     * Stores a value under a name; null removes the stored value. In Groovy: {@code exchange['customer'] = customer}.
     */
    default void putAt(String name, @Nullable Object value) {
        set(AttributeKey.of(name, Object.class), value);
    }

    /** Returns how many times the request has been sent to an origin so far; 0 if the gateway itself responds. */
    default int getAttempts() {
        return 0;
    }

    /**
     * Returns the address of the endpoint that the last attempt used; null before the first attempt. The last attempt
     * supplies the response.
     */
    default @Nullable String getEndpoint() {
        return null;
    }

    /**
     * Calls {@code action} once, after the end of the exchange: after its last byte was written, or after it was
     * aborted. Actions run on the event loop in the order in which they were added. Actions must not block, and cannot
     * use the exchange, because it has ended. An exception counts as a failure of this filter; the other actions still
     * run.
     */
    void onCompleted(Consumer<? super Completion> action);

    /** Returns this filter's log for this exchange. The log is thread-safe. */
    FilterLog getLog();

    // ---- outcomes

    /** Returns the outcome that lets the exchange continue. */
    default FilterOutcome proceed() {
        return FilterOutcome.proceed();
    }

    /**
     * Returns a response without a body.
     *
     * @param status 200 to 599
     */
    default FilterOutcome.Respond respond(int status) {
        return FilterOutcome.respond(status);
    }

    /**
     * Returns a response with a text in UTF-8 and Content-Type text/plain.
     *
     * @param status 200 to 599
     */
    default FilterOutcome.Respond respond(int status, String text) {
        return FilterOutcome.respond(status).text(text);
    }

    /**
     * Returns a redirect.
     *
     * @param status 301, 302, 303, 307 or 308
     */
    default FilterOutcome.Respond redirect(int status, String location) {
        return FilterOutcome.redirect(status, location);
    }

    /** Returns the outcome that fails the exchange. The error response contains {@code detail}. */
    default FilterOutcome fail(ErrorKind kind, String detail) {
        return FilterOutcome.fail(kind, detail);
    }
}
