package dev.lychgate.filter;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.tls.TlsSession;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, as filters see them. Belongs to the filter that runs, from when it is called until it
 * returns or its stage completes; a filter that uses it later gets an {@link IllegalStateException}. Has the accessors
 * that Groovy takes for properties.
 */
public interface FilterExchange {
    FilterRequest getRequest();

    /** @throws IllegalStateException before there is an answer, in inbound, endpoint and error filters */
    FilterResponse getResponse();

    /** What went wrong; null if nothing did. */
    @Nullable
    GatewayError getError();

    /** Identifies the exchange in all logs, and in {@code X-Request-Id}. */
    String getRequestId();

    /**
     * The id of the trace that the exchange is part of, 32 hexadecimal digits; null if it is in none, as where {@code tracing}
     * is not configured.
     */
    default @Nullable String getTraceId() {
        return null;
    }

    /**
     * What a filter that calls others by itself tells them in the field {@code traceparent}, so that what they do is part of
     * the trace, beneath the exchange's own span; null if it is in none. Attempts at origins have it from the gateway.
     */
    default @Nullable String getTraceparent() {
        return null;
    }

    /** The number of the generation this exchange belongs to. */
    long getGeneration();

    /** The listener the request came in by. */
    String getListener();

    /**
     * Returns the client's address. Behind a trusted proxy it is the one that the proxy names in the request; an untrusted proxy
     * counts as the client itself.
     */
    InetAddress getClientAddress();

    /** Returns the address of the other end of the connection: a trusted proxy's, or else the client's. */
    default InetAddress getPeerAddress() {
        return getClientAddress();
    }

    /**
     * What TLS says of the client: the version, the name it asked for, and the certificate that it has shown; null if TLS is
     * not spoken with it.
     */
    default @Nullable TlsSession getTls() {
        return null;
    }

    /** The id of the route that was chosen; null before that, and if none matches. */
    @Nullable
    String getRoute();

    /**
     * Chooses the route, whatever its predicates say. Global inbound filters are asked before routing; a route's own may
     * send the request to another route once.
     *
     * @throws IllegalArgumentException if there is no route of that id
     * @throws IllegalStateException if it is too late, or the exchange has been routed again already
     */
    void setRoute(String id);

    /** The upstream that will be asked; null before routing, and if the route has none. */
    @Nullable
    String getUpstream();

    /**
     * Asks another upstream than the route says, and asks one where the route would answer by itself: with a redirect or a
     * fixed response. The route's rewrite and timeouts hold for it.
     *
     * @throws IllegalArgumentException if there is no upstream of that name
     * @throws IllegalStateException if it is too late
     */
    void setUpstream(String name);

    /** Limits how long the origin may take for its response head, in place of the route's {@code response-head}. */
    void setResponseTimeout(Duration timeout);

    /** Limits how long the whole exchange may take from now on, in place of the route's {@code exchange}. */
    void setExchangeTimeout(Duration timeout);

    /** What is kept on the exchange under {@code key}; null if nothing is. */
    <T> @Nullable T get(AttributeKey<T> key);

    /** Keeps something on the exchange for filters that run later; null forgets it. */
    <T> void set(AttributeKey<T> key, @Nullable T value);

    /**
     * {@code exchange['customer']} in Groovy: what is kept under a name, whatever its type; null if nothing is.
     *
     * @see #get(AttributeKey) a typed key, which is another key than the name alone
     */
    default @Nullable Object getAt(String name) {
        return get(AttributeKey.of(name, Object.class));
    }

    /** {@code exchange['customer'] = customer} in Groovy; null forgets it. */
    default void putAt(String name, @Nullable Object value) {
        set(AttributeKey.of(name, Object.class), value);
    }

    /** How many attempts at origins there have been; 0 before the first, and if the gateway responds by itself. */
    default int getAttempts() {
        return 0;
    }

    /** The address of the endpoint whose response counts, or that was tried last; null if none has been tried. */
    default @Nullable String getEndpoint() {
        return null;
    }

    /**
     * Calls {@code action} once, when the exchange has ended: its last byte is written, or it was aborted. Actions run on the
     * event loop in the order in which they were added, must not block, and can't use the exchange any more. An action that
     * throws is logged and counted as a failure of this filter; the others run.
     */
    void onCompleted(Consumer<? super Completion> action);

    /** Writes log lines that carry the request id, from whatever thread. */
    FilterLog getLog();

    // ---- outcomes, for short

    /** The exchange goes on. */
    default FilterOutcome proceed() {
        return FilterOutcome.proceed();
    }

    /** Answers without a body. */
    default FilterOutcome.Respond respond(int status) {
        return FilterOutcome.respond(status);
    }

    /** Answers with {@code text} in UTF-8, as text/plain. */
    default FilterOutcome.Respond respond(int status, String text) {
        return FilterOutcome.respond(status).text(text);
    }

    /** Sends the client elsewhere. @param status 301, 302, 303, 307 or 308 */
    default FilterOutcome.Respond redirect(int status, String location) {
        return FilterOutcome.redirect(status, location);
    }

    /** Fails the exchange; {@code detail} is told to the client. */
    default FilterOutcome fail(ErrorKind kind, String detail) {
        return FilterOutcome.fail(kind, detail);
    }
}
