package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.LogMark;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.upstream.Upstream;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the filters of one exchange see and change: heads, bodies, and their choice of route, upstream and timeouts. It knows no run
 * of filters. Used on the exchange's event loop and, while a filter has its turn, on that filter's thread.
 */
final class FilterContext implements LogMark.Source {
    private final ExchangeState state;
    private final FilterLoop loop;
    private final FilterHost host;
    private @Nullable RequestHead standIn;
    private @Nullable FilteredBody requestBody;
    private @Nullable FilteredBody responseBody;
    private @Nullable Route route;
    private boolean rerouted;
    private @Nullable Upstream upstream;
    private long responseTimeout;

    FilterContext(ExchangeState state, FilterLoop loop, FilterHost host) {
        this.state = state;
        this.loop = loop;
        this.host = host;
    }

    // ---- bodies

    /** Returns the body of the request, from now on under the control of filters. */
    FilteredBody requestBody() {
        FilteredBody body = requestBody;
        if (body == null) {
            body = new FilteredBody(loop, this, this::onReclaim);
            if (state.request() == Half.DONE) {
                body.end(state.requestTrailers());
            }
            requestBody = body;
        }
        return body;
    }

    /** Returns the body of the response, from now on under the control of filters. */
    FilteredBody responseBody() {
        FilteredBody body = responseBody;
        if (body == null) {
            body = new FilteredBody(loop, this, this::onReclaim);
            responseBody = body;
        }
        return body;
    }

    /** The memory for bodies that filters hold or decode is used up, or needed for others. */
    private void onReclaim() {
        host.fail(noMemory());
    }

    static GatewayError noMemory() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory for bodies in filters is used up");
    }

    /** Returns the body of the request; null if no filter has asked for control over it. */
    @Nullable
    FilteredBody heldRequest() {
        return requestBody;
    }

    /** Returns the body of the response; null if no filter has asked for control over it. */
    @Nullable
    FilteredBody heldResponse() {
        return responseBody;
    }

    /** The response is discarded, and its body. */
    void dropResponse() {
        FilteredBody body = responseBody;
        if (body != null) {
            body.close();
            responseBody = null;
        }
    }

    void close() {
        if (requestBody != null) {
            requestBody.close();
        }
        if (responseBody != null) {
            responseBody.close();
        }
    }

    // ---- choices

    /** Chooses the route. @throws IllegalArgumentException if there is none of that id */
    void route(String id, FilterStage during) {
        if (during == FilterStage.ENDPOINT || (during == FilterStage.ROUTE && rerouted)) {
            throw new IllegalStateException("it is too late to choose another route");
        }
        Route chosen = state.generation().route(id);
        if (chosen == null) {
            throw new IllegalArgumentException("there is no route " + id);
        }
        rerouted = during == FilterStage.ROUTE;
        route = chosen;
    }

    /** Returns the route that filters have chosen since the last call; null if there is none. */
    @Nullable
    Route takeRoute() {
        Route chosen = route;
        route = null;
        return chosen;
    }

    @Nullable
    String route() {
        Route chosen = route != null ? route : state.route();
        return chosen == null ? null : chosen.id();
    }

    /** Chooses the upstream. @throws IllegalArgumentException if there is none of that name */
    void upstream(String name) {
        Upstream chosen = state.generation().upstream(name);
        if (chosen == null) {
            throw new IllegalArgumentException("there is no upstream " + name);
        }
        upstream = chosen;
    }

    @Nullable
    String upstream() {
        return upstream != null ? upstream.name() : state.upstreamOfRoute();
    }

    /** Limits the time until the origin's response head. @param nanos the limit */
    void responseTimeout(long nanos) {
        responseTimeout = nanos;
    }

    /** Limits the whole exchange. @param nanos the limit, from now on */
    void exchangeTimeout(long nanos) {
        host.limit(nanos);
    }

    /** Returns {@code target}, unless filters have chosen another upstream or timeout; null if neither is given. */
    @Nullable
    ProxyTarget target(Route from, @Nullable ProxyTarget target) {
        Upstream chosen = upstream;
        ProxyTarget to = chosen == null
                ? target
                : ProxyTarget.of(
                        chosen.whole(), from.timeouts(), state.generation().policies(from));
        return to != null && responseTimeout > 0 ? to.with(responseTimeout, 0) : to;
    }

    // ---- what filters read

    /** Returns the request head; a stand-in if the bytes were not HTTP. */
    RequestHead requestHead() {
        RequestHead head = state.requestHead();
        if (head != null) {
            return head;
        }
        RequestHead other = standIn;
        if (other == null) {
            HttpHeaders none = DefaultHttpHeadersFactory.headersFactory().newHeaders();
            other = new RequestHead(HttpMethod.valueOf("-"), false, "/", null, "", none);
            standIn = other;
        }
        return other;
    }

    /** Returns the response head; null if there is none yet. */
    @Nullable
    ResponseHead responseHead() {
        return state.responseHead();
    }

    /** Returns whether the response grants a tunnel. */
    boolean isTunnelGranted() {
        ResponseHead head = responseHead();
        return head != null && head.isTunnel();
    }

    @Nullable
    GatewayError error(FilterStage stage) {
        return state.error() == null && stage == FilterStage.FALLBACK ? state.remedyFor() : state.error();
    }

    String requestId() {
        return state.requestId();
    }

    @Override
    public LogMark mark() {
        return new LogMark(requestId(), route());
    }

    long generation() {
        return state.generation().number();
    }

    String listener() {
        return state.downstream().listener();
    }

    @Nullable
    TlsSession tls() {
        return state.downstream().tls();
    }

    /** Returns the exchange's place in a distributed trace; null if it is in none. */
    @Nullable
    TraceContext trace() {
        return state.trace();
    }

    InetAddress peerAddress() {
        return state.downstream().peer().getAddress();
    }

    InetAddress clientAddress() {
        return state.client().getAddress();
    }
}
