package dev.lychgate.exchange.state;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
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
import dev.lychgate.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The state of one exchange: its {@link Phase}, a {@link Half} per direction, both heads, the route, and the facts that
 * observers read. This class does not depend on the classes that change the state. Used only on the exchange's event loop.
 */
public final class ExchangeState extends ExchangeRecord implements Ingress {
    private final Loop loop;

    private HttpHeaders requestTrailers = EmptyHttpHeaders.INSTANCE;
    private FilterChains.RouteChains chains;
    /** Whether a trusted proxy has named a client, even if the name can't be used. */
    private boolean clientNamed;

    /** Null before the first interim response. */
    private @Nullable InterimAllowance interims;
    /** The deadline of the exchange, in nanoseconds of the loop's clock; {@link Long#MAX_VALUE} without a deadline. */
    private long endsAt = Long.MAX_VALUE;

    private int priority = -1;

    /**
     * Creates the state of an exchange that begins now.
     *
     * @param requestId the request id, unless the request carries an id from a trusted proxy
     */
    public ExchangeState(Loop loop, Downstream downstream, Generation generation, String requestId) {
        super(requestId, downstream, generation, new Timeline(loop.nanoTime()));
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

    /** Ends the exchange. Halves that are not complete are aborted. */
    public void close() {
        become(Phase.CLOSED);
        request = request == Half.DONE ? Half.DONE : Half.ABORTED;
        response = response == Half.DONE ? Half.DONE : Half.ABORTED;
        timeline.ended(loop.nanoTime());
        if (error != null && status == 0) {
            status = error.getStatus();
        }
    }

    /** Returns the exception to throw for an event that the current phase does not allow. */
    public IllegalStateException unexpected(String event) {
        return new IllegalStateException(
                event + " in phase " + phase + ", request " + request + ", response " + response);
    }

    // ---- recording and replay

    /** Sets the receiver of the exchange's events for a recording. */
    public void tap(ExchangeTap receiver) {
        tap = receiver;
    }

    /** Sets the time and the random numbers, for example from a recording. Called before any filter runs. */
    public void determine(ExchangeInputs given) {
        inputs(given);
    }

    // ---- the request

    /**
     * Records the arrival of the request head.
     *
     * @param id the request id from now on
     * @param client the client that a trusted proxy names; null if the client is the peer of the connection
     */
    public void accept(RequestHead head, String id, @Nullable InetSocketAddress client) {
        requestHead = head;
        requestId = id;
        forwardedClient = client;
    }

    /** Records that a trusted proxy names the client of the request, readable or not. */
    public void nameClient() {
        clientNamed = true;
    }

    /**
     * Assigns the exchange to the candidate instead of the stable generation. Called before any part of either
     * generation is used.
     */
    public void meet(Generation chosen) {
        generation = chosen;
        chains = chosen.filters().of(null);
    }

    /**
     * Records the group of the exchange during a rollout.
     *
     * @param of the result of {@link dev.lychgate.generation.Split#group}
     */
    public void group(int of) {
        group = of;
    }

    /** Sets the verified identity of the sender. @param verified null for an unknown sender */
    public void identify(@Nullable Identity verified) {
        identity = verified;
    }

    /** Sets the span of this exchange in a distributed trace. */
    public void trace(TraceContext context) {
        trace = context;
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
        timeline.requestEnded(loop.nanoTime());
    }

    public HttpHeaders requestTrailers() {
        return requestTrailers;
    }

    /** Adds to the number of request body bytes. */
    public void addRequestBytes(int count) {
        requestBytes += count;
    }

    @Override
    public InetAddress clientAddress() {
        return client().getAddress();
    }

    /**
     * Returns whether a trusted proxy made the request itself, such as a health check. The proxy names no client in such a request. A
     * client that can't be read does not make the request the proxy's own.
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

    /** Returns the PROXY protocol header for origins that require one. It names {@link #client}. */
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

    /** Records that a fault takes effect. */
    public void injected(Injection injection) {
        if (injections.isEmpty()) {
            injections = new ArrayList<>(2);
        }
        injections.add(injection);
    }

    /** Records the part that the cache had in the response. */
    public void cached(CacheOutcome as) {
        cache = as;
    }

    // ---- attempts

    /** Records the beginning of an attempt, which is the current attempt from now on. */
    public void attemptBegan(AttemptView attempt) {
        attempts++;
        endpoint = attempt.endpoint();
        timeline.attemptBegins(attempt);
    }

    /**
     * Records the beginning of a hedge. The current attempt is {@code first} until one of the two responses is accepted.
     */
    public void hedgeBegan(AttemptView hedge, AttemptView first) {
        attempts++;
        timeline.attemptBegins(hedge);
        timeline.goesOnWith(first);
    }

    /** Records that {@code attempt} is the current attempt from now on. */
    public void continuesWith(AttemptView attempt) {
        endpoint = attempt.endpoint();
        timeline.goesOnWith(attempt);
    }

    /** Records a call-out of a filter. */
    public void called(String upstream, ExchangeRecord call) {
        if (calls.isEmpty()) {
            calls = new ArrayList<>(2);
        }
        calls.add(new Call(upstream, call));
    }

    // ---- the response

    /**
     * Counts an interim response. All attempts share one allowance, so a retry does not add to it.
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

    /** Sets the response head, which comes from the origin or from the gateway. */
    public void responded(ResponseHead head) {
        responseHead = head;
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
     * Records that the response is committed. The caller writes the response head to the client next.
     *
     * @param recorded the status that observers read
     * @param late whether the head may have arrived from the origin noticeably earlier than now
     */
    public void commit(int recorded, boolean late) {
        become(Phase.RELAYING);
        response(Half.BODY);
        status = recorded;
        long origins = timeline.firstByteAt();
        timeline.answered(late || origins == 0 ? loop.nanoTime() : origins);
    }

    /** Counts and records a chunk of the response body that is about to be written. */
    public void sending(ByteBuf chunk) {
        responseBytes += chunk.readableBytes();
        tap.onResponseBody(chunk);
    }

    /** Adds to the number of response body bytes. */
    public void addResponseBytes(long count) {
        responseBytes += count;
    }

    /** Sets the cost for rate limits; 0 or more. */
    public void cost(long units) {
        cost = units;
    }

    // ---- endings

    /** Sets the error with which the exchange fails. */
    public void failed(GatewayError why) {
        error = why;
    }

    /**
     * Records the remedy after the upstream failed.
     *
     * @param why the error; null if the status of a response was treated as the failure
     */
    public void remedied(OnFailure.Remedy by, @Nullable GatewayError why) {
        remedy = by;
        remedyFor = why;
    }

    /** Sets the priority under overload, 0 to 9. Called only if the generation has an overload policy. */
    public void priority(int chosen) {
        priority = chosen;
    }

    /** Returns the priority under overload; -1 if the generation has no overload policy, or the priority is not known yet. */
    public int priority() {
        return priority;
    }

    /** Returns the part of bulkheads and adaptive limits that the exchange may use. */
    public LimitShare share() {
        OverloadPolicy policy = priority < 0 ? null : generation.overload();
        return policy == null ? LimitShare.WHOLE : policy.share(priority);
    }

    /**
     * Records that the request is shed because of overload.
     *
     * @param of the priority of the request
     */
    public void shed(int of) {
        shed = of;
    }

    /** Records that a filter has failed. */
    public void filterFailed() {
        filterFailed = true;
    }

    public void tunnelEnded(TunnelEnd why) {
        tunnelEnd = why;
    }

    /** Sets the deadline of the exchange to {@code nanos} from now. */
    public void endsWithin(long nanos) {
        endsAt = loop.nanoTime() + nanos;
    }

    /**
     * Returns the time until the deadline of the exchange, in nanoseconds, at least 0; {@link Long#MAX_VALUE} without a deadline.
     */
    public long remaining(long now) {
        return endsAt == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, endsAt - now);
    }

    public boolean isLimited() {
        return endsAt != Long.MAX_VALUE;
    }

    /** Returns the time by which the event loop checks deadlines. It is slightly earlier than the current time. */
    public long now() {
        return loop.deadlines().now();
    }
}
