package dev.lychgate.exchange.state;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.Identity;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.resilience.LimitShare;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.Route;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The state of one exchange: its {@link Phase}, a {@link Half} per direction, both heads, the route, and the facts that
 * observers read. This class does not depend on the classes that change the state. Used on the exchange's event loop.
 */
public final class ExchangeState extends ExchangeFacts implements Ingress {
    private final Loop loop;

    private HttpHeaders requestTrailers = EmptyHttpHeaders.INSTANCE;
    private FilterChains.RouteChains chains;

    /** Null before the first interim response. */
    private @Nullable InterimAllowance interims;
    /** The deadline of the exchange, in nanoseconds of the loop's clock; {@link Long#MAX_VALUE} without a deadline. */
    private long endsAt = Long.MAX_VALUE;

    private int priority = -1;
    private boolean requestPaused;

    /**
     * Creates the state of an exchange that begins now.
     *
     * @param requestId the request id; if the request contains an id from a trusted proxy, the exchange uses that id
     *     instead
     */
    public ExchangeState(Loop loop, Downstream downstream, Generation generation, String requestId) {
        super(requestId, downstream, generation, new Timeline(loop.turnTime()));
        assert loop.inLoop();
        this.loop = loop;
        this.chains = generation.filters().of(null);
    }

    // ---- phase and halves

    public boolean isClosed() {
        return phase == Phase.CLOSED;
    }

    /** Changes the phase. */
    public void become(Phase next) {
        assert loop.inLoop();
        assert phase.leadsTo(next) : phase + " does not lead to " + next;
        phase = next;
    }

    /** Changes the state of the request half. */
    public void request(Half next) {
        assert request.leadsTo(next) : "a request that is " + request + " does not become " + next;
        request = next;
    }

    /** Changes the state of the response half. */
    public void response(Half next) {
        assert response.leadsTo(next) : "a response that is " + response + " does not become " + next;
        response = next;
    }

    /**
     * Aborts the request half, because the request is malformed, too long or too slow. Later bytes on the connection
     * are discarded.
     */
    public void abortRequest() {
        request(Half.ABORTED);
    }

    /**
     * Pauses reading of an incomplete request, because the exchange waits before its first attempt. Reading resumes when
     * an attempt sends the request.
     */
    public void pauseRequest() {
        if (request == Half.BODY) {
            requestPaused = true;
            downstream().pauseReading();
        }
    }

    /** Returns whether {@link #pauseRequest} has paused reading since the last call of this method. */
    public boolean endRequestPause() {
        boolean was = requestPaused;
        requestPaused = false;
        return was;
    }

    /** Ends the exchange. Halves that are not complete are aborted. */
    public void close() {
        become(Phase.CLOSED);
        request = request == Half.DONE ? Half.DONE : Half.ABORTED;
        response = response == Half.DONE ? Half.DONE : Half.ABORTED;
        timeline.ended(loop.turnTime());
        if (error != null && status == 0) {
            status = error.getStatus();
        }
    }

    /** Returns the exception to throw for an event that the current phase does not allow. */
    public IllegalStateException unexpected(String event) {
        return new IllegalStateException(
                event + " in phase " + phase + ", request " + request + ", response " + response);
    }

    // ---- the request

    /**
     * Assigns the exchange to the candidate instead of the stable generation. Called before the exchange uses any part
     * of either generation.
     */
    public void meet(Generation chosen) {
        generation = chosen;
        chains = chosen.filters().of(null);
    }

    /**
     * Returns the request head.
     *
     * @throws IllegalStateException if the exchange has no request head
     */
    public RequestHead requireRequestHead() {
        RequestHead head = requestHead;
        if (head == null) {
            throw unexpected("no request head");
        }
        return head;
    }

    /** Records that the request is complete. */
    public void requestEnded(HttpHeaders trailers) {
        request(Half.DONE);
        requestTrailers = trailers;
        timeline.requestEnded(loop.turnTime());
    }

    public HttpHeaders requestTrailers() {
        return requestTrailers;
    }

    @Override
    public InetAddress clientAddress() {
        return client().getAddress();
    }

    /**
     * Returns whether a trusted proxy made the request itself, for example for a health check. Such a request names no
     * client in its headers. If the request names a client with an unreadable address, the result is false, because the
     * proxy has forwarded the request.
     */
    public boolean isOfProxyItself() {
        return !clientNamed && (downstream.forwarding().isTrusted() || downstream.isOfProxy());
    }

    @Override
    public @Nullable Object claim(String path) {
        Identity sender = identity;
        return sender == null ? null : sender.claim(path);
    }

    @Override
    public String listener() {
        return downstream.listener();
    }

    @Override
    public boolean isSecure(RequestHead head) {
        return downstream.forwarding().isSecure(head);
    }

    /** Returns the PROXY protocol header for origins that require this header. The header names {@link #client}. */
    public ProxyHeader proxyHeader() {
        InetSocketAddress forwarded = forwardedClient;
        ProxyHeader ofConnection = downstream.proxyHeader();
        return forwarded == null ? ofConnection : ofConnection.from(forwarded);
    }

    // ---- the route

    /** Assigns a route and its filters to the exchange. */
    public void enter(Route chosen) {
        route = chosen;
        chains = generation.filters().of(chosen.id());
    }

    /**
     * Returns the route.
     *
     * @throws IllegalStateException if the exchange has no route
     */
    public Route requireRoute() {
        Route chosen = route;
        if (chosen == null) {
            throw unexpected("no route");
        }
        return chosen;
    }

    /** Returns the name of the route's upstream; null if there is no route, or the route has no upstream. */
    public @Nullable String upstreamOfRoute() {
        Route chosen = route;
        return chosen != null && chosen.action() instanceof RouteAction.Proxy proxy ? proxy.upstream() : null;
    }

    /**
     * Returns the filters that run after routing. Before a route is assigned, these are the filters for requests that
     * match no route.
     */
    public FilterChains.RouteChains chains() {
        return chains;
    }

    // ---- the response

    /**
     * Counts an interim response. The limit applies to all attempts of the exchange together, so a retry does not raise
     * the limit.
     *
     * @return false if the attempts have received too many interim responses
     */
    public boolean admitsInterim(ResponseHead interim) {
        long now = loop.nanoTime();
        InterimAllowance allowance = interims;
        if (allowance == null) {
            allowance = new InterimAllowance(now);
            interims = allowance;
        }
        return allowance.admits(interim, now);
    }

    /**
     * Returns the response head.
     *
     * @throws IllegalStateException if the exchange has no response head
     */
    public ResponseHead requireResponseHead() {
        ResponseHead head = responseHead;
        if (head == null) {
            throw unexpected("no response");
        }
        return head;
    }

    /**
     * Records that the response is committed. After this call, the caller writes the response head to the client.
     *
     * @param recorded the status that observers read
     * @param late whether filters may have delayed the head after it arrived from the origin
     */
    public void commit(int recorded, boolean late) {
        become(Phase.RELAYING);
        response(Half.BODY);
        status = recorded;
        long origins = timeline.firstByteAt();
        // A local response usually takes less than one turn. The time of the turn would be too imprecise, so the clock
        // is read.
        timeline.answered(origins == 0 ? loop.nanoTime() : late ? loop.turnTime() : origins);
    }

    // ---- limits

    /** Sets the priority under overload, 0 to 9. Called only if the generation has an overload policy. */
    public void priority(int chosen) {
        priority = chosen;
    }

    /**
     * Returns the priority under overload; -1 if the generation has no overload policy, or the priority is not known
     * yet.
     */
    public int priority() {
        return priority;
    }

    /** Returns the part of bulkheads and adaptive limits that the exchange may use. */
    public LimitShare share() {
        OverloadPolicy policy = priority < 0 ? null : generation.overload();
        return policy == null ? LimitShare.WHOLE : policy.share(priority);
    }

    /** Sets the deadline of the exchange to {@code nanos} nanoseconds from now. */
    public void endsWithin(long nanos) {
        endsAt = loop.nanoTime() + nanos;
    }

    /**
     * Returns the time until the deadline of the exchange, in nanoseconds, at least 0; {@link Long#MAX_VALUE} without a
     * deadline.
     */
    public long remaining(long now) {
        return endsAt == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, endsAt - now);
    }

    public boolean isLimited() {
        return endsAt != Long.MAX_VALUE;
    }

    /**
     * Returns the clock reading with which the event loop checks deadlines, in nanoseconds. This time may be slightly
     * before the current time.
     */
    public long now() {
        return loop.deadlines().now();
    }
}
