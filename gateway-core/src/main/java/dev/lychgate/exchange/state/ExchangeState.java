package dev.lychgate.exchange.state;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.proxyprotocol.ProxyHeader;
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
 * The state of one exchange: a {@link Phase}, a {@link Half} per direction, both heads, the route and what observers read. It
 * knows none of the parts that change it. Used on the exchange's event loop only.
 */
public final class ExchangeState extends ExchangeRecord implements Ingress {
    private final Loop loop;

    private HttpHeaders requestTrailers = EmptyHttpHeaders.INSTANCE;
    private FilterChains.RouteChains chains;
    /** Null before the first interim response. */
    private @Nullable InterimAllowance interims;
    /** When the exchange times out, in nanoseconds; {@link Long#MAX_VALUE} without a limit. */
    private long endsAt = Long.MAX_VALUE;

    /** @param requestId the id unless the request brings one from a trusted proxy */
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

    /** Changes the progress of the request. */
    public void request(Half next) {
        assert request.leadsTo(next) : "a request that is " + request + " does not become " + next;
        request = next;
    }

    /** Changes the progress of the response. */
    public void response(Half next) {
        assert response.leadsTo(next) : "a response that is " + response + " does not become " + next;
        response = next;
    }

    /** The request is malformed, too long or too slow: later bytes on the connection are discarded. */
    public void abortRequest() {
        request(Half.ABORTED);
    }

    /** The exchange is over: halves that are not complete are aborted. */
    public void close() {
        become(Phase.CLOSED);
        request = request == Half.DONE ? Half.DONE : Half.ABORTED;
        response = response == Half.DONE ? Half.DONE : Half.ABORTED;
        timeline.ended(loop.nanoTime());
        if (error != null && status == 0) {
            status = error.getStatus();
        }
    }

    /** Returns the exception for an event that the phase does not allow. */
    public IllegalStateException unexpected(String event) {
        return new IllegalStateException(
                event + " in phase " + phase + ", request " + request + ", response " + response);
    }

    // ---- recording and replay

    /** Reports the course of the exchange from now on. */
    public void tap(ExchangeTap receiver) {
        tap = receiver;
    }

    /** Sets time and random numbers, as in a recording. Before any filter runs. */
    public void determine(ExchangeInputs given) {
        inputs(given);
    }

    // ---- the request

    /** The request head has arrived. @param id the id from now on @param client the client behind a trusted proxy, or null */
    public void accept(RequestHead head, String id, @Nullable InetSocketAddress client) {
        requestHead = head;
        requestId = id;
        forwardedClient = client;
    }

    /** The exchange belongs to a generation on trial instead of the stable one. Before any part of either is used. */
    public void meet(Generation chosen) {
        generation = chosen;
        chains = chosen.filters().of(null);
    }

    /** The exchange was divided between two generations. @param of its group in the division */
    public void group(int of) {
        group = of;
    }

    /** The exchange has a place in a distributed trace. */
    public void trace(TraceContext context) {
        trace = context;
    }

    /** Returns the request head of an exchange that has one. */
    public RequestHead requireRequestHead() {
        RequestHead head = requestHead;
        if (head == null) {
            throw unexpected("no request head");
        }
        return head;
    }

    /** The request is complete. */
    public void requestEnded(HttpHeaders trailers) {
        request(Half.DONE);
        requestTrailers = trailers;
        timeline.requestEnded(loop.nanoTime());
    }

    public HttpHeaders requestTrailers() {
        return requestTrailers;
    }

    /** Counts bytes of the request body. */
    public void addRequestBytes(int count) {
        requestBytes += count;
    }

    @Override
    public InetAddress clientAddress() {
        return client().getAddress();
    }

    /** Returns whether a trusted proxy sends a request of its own, such as a health check: it states no client. */
    public boolean isOfProxyItself() {
        return forwardedClient == null && downstream.forwarding().isTrusted();
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

    /** Assigns the route {@code chosen} and its filters to the exchange. */
    public void enter(Route chosen) {
        route = chosen;
        chains = generation.filters().of(chosen.id());
    }

    /** Returns the route of an exchange that has one. */
    public Route requireRoute() {
        Route chosen = route;
        if (chosen == null) {
            throw unexpected("no route");
        }
        return chosen;
    }

    /** Returns the name of the upstream that the route names; null if there is no route, or it names none. */
    public @Nullable String upstreamOfRoute() {
        Route chosen = route;
        return chosen != null && chosen.action() instanceof RouteAction.Proxy proxy ? proxy.upstream() : null;
    }

    /** Returns the filters of this exchange, as far as they are known. */
    public FilterChains.RouteChains chains() {
        return chains;
    }

    /** A fault takes effect. */
    public void injected(Injection injection) {
        if (injections.isEmpty()) {
            injections = new ArrayList<>(2);
        }
        injections.add(injection);
    }

    // ---- attempts

    /** An attempt begins, and its response is the one that counts. */
    public void attemptBegan(AttemptView attempt) {
        attempts++;
        endpoint = attempt.endpoint();
        timeline.attemptBegins(attempt);
    }

    /** A hedge begins beside {@code first}, and the response of either counts. */
    public void hedgeBegan(AttemptView hedge, AttemptView first) {
        attempts++;
        timeline.attemptBegins(hedge);
        timeline.goesOnWith(first);
    }

    /** From now on the response of {@code attempt} counts. */
    public void continuesWith(AttemptView attempt) {
        endpoint = attempt.endpoint();
        timeline.goesOnWith(attempt);
    }

    /** A filter sends a call-out. */
    public void called(String upstream, ExchangeRecord call) {
        if (calls.isEmpty()) {
            calls = new ArrayList<>(2);
        }
        calls.add(new Call(upstream, call));
    }

    // ---- the response

    /** Counts an interim response. @return false if the attempts have received too many: a retry brings no further allowance */
    public boolean admitsInterim(ResponseHead interim) {
        long now = loop.nanoTime();
        InterimAllowance allowance = interims;
        if (allowance == null) {
            allowance = new InterimAllowance(now);
            interims = allowance;
        }
        return allowance.admits(interim, now);
    }

    /** A response exists, from the origin or from the gateway. */
    public void responded(ResponseHead head) {
        responseHead = head;
    }

    /** Returns the response head of an exchange that has one. */
    public ResponseHead requireResponseHead() {
        ResponseHead head = responseHead;
        if (head == null) {
            throw unexpected("no response");
        }
        return head;
    }

    /**
     * The response is committed: its head is written to the client next.
     *
     * @param recorded the status that observers see
     * @param late whether time passed since the head came from the origin
     */
    public void commit(int recorded, boolean late) {
        become(Phase.RELAYING);
        response(Half.BODY);
        status = recorded;
        long origins = timeline.firstByteAt();
        timeline.answered(late || origins == 0 ? loop.nanoTime() : origins);
    }

    /** Counts a chunk of the response body that is about to be written. */
    public void sending(ByteBuf chunk) {
        responseBytes += chunk.readableBytes();
        tap.onResponseBody(chunk);
    }

    /** Counts bytes of the response body. */
    public void addResponseBytes(long count) {
        responseBytes += count;
    }

    /** Sets the cost for rate limits; 0 or more. */
    public void cost(long units) {
        cost = units;
    }

    // ---- endings

    /** The exchange fails with {@code why}. */
    public void failed(GatewayError why) {
        error = why;
    }

    /** The upstream failed, and {@code by} is done about it. @param why null if a response counts as the failure */
    public void remedied(OnFailure.Remedy by, @Nullable GatewayError why) {
        remedy = by;
        remedyFor = why;
    }

    /** The request is shed because of overload. */
    public void shed(int priority) {
        shed = priority;
    }

    /** A filter has failed. */
    public void filterFailed() {
        filterFailed = true;
    }

    public void tunnelEnded(TunnelEnd why) {
        tunnelEnd = why;
    }

    /** Limits the exchange to {@code nanos} from now on. */
    public void endsWithin(long nanos) {
        endsAt = loop.nanoTime() + nanos;
    }

    /** Returns the remaining time in nanoseconds, not below 0; {@link Long#MAX_VALUE} without a limit. */
    public long remaining(long now) {
        return endsAt == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, endsAt - now);
    }

    public boolean isLimited() {
        return endsAt != Long.MAX_VALUE;
    }

    /** Returns the time of the loop's deadlines, which lags a little behind the clock. */
    public long now() {
        return loop.deadlines().now();
    }
}
