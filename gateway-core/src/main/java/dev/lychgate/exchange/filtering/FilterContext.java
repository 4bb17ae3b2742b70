package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.client.Ban;
import dev.lychgate.client.Bans;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Completion;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Upstream;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state that the filters of one exchange read and change: heads, bodies, attributes, and the choices of route,
 * upstream and timeouts. This object also contains the running filter. Used on the exchange's event loop and, while a
 * filter runs, on the thread of that filter.
 */
final class FilterContext implements FilterSubject {
    private final ExchangeState state;
    private final FilterLoop loop;
    private final FilterHost host;
    private @Nullable RequestHead standIn;
    private @Nullable RequestHead original;
    private final FilterBodies bodies;
    private @Nullable FilterChoices choices;
    private @Nullable Map<AttributeKey<?>, Object> attributes;
    private @Nullable CompletionActions completion;
    private @Nullable FilterCalls calls;
    /** The headers that filters add to the response; null if filters add no headers. */
    private @Nullable HttpHeaders responseFields;

    private FilterStage stage = FilterStage.GLOBAL;
    private @Nullable FilterSlot slot;
    /** Whether the running filter needs the body of this exchange. */
    private boolean bodyNeeded;
    /** Whether a filter is being called on the event loop. */
    private boolean turn;

    FilterContext(ExchangeState state, FilterLoop loop, FilterHost host) {
        this.state = state;
        this.loop = loop;
        this.host = host;
        this.bodies = new FilterBodies(this, loop, host);
    }

    /** Returns the bodies of the exchange that filters control. */
    FilterBodies bodies() {
        return bodies;
    }

    // ---- the filter that runs

    FilterStage stage() {
        return stage;
    }

    void stage(FilterStage next) {
        stage = next;
    }

    /** Returns the running filter or, if no filter runs, the filter that ran last. */
    FilterSlot slot() {
        FilterSlot s = slot;
        if (s == null) {
            throw new IllegalStateException("no filter is running");
        }
        return s;
    }

    /** Sets the running filter. */
    void slot(FilterSlot next) {
        slot = next;
        bodyNeeded = false;
    }

    boolean isBodyNeeded() {
        return bodyNeeded;
    }

    void bodyNeeded() {
        bodyNeeded = true;
    }

    /** Records that a call to a filter on the event loop begins or has returned. */
    void turn(boolean begins) {
        turn = begins;
    }

    /** Returns whether the caller is a filter that is being called on the event loop. */
    boolean hasTurn() {
        return turn && loop.loop().inLoop();
    }

    /** Returns the attributes that filters have stored for the exchange. */
    Map<AttributeKey<?>, Object> attributes() {
        Map<AttributeKey<?>, Object> kept = attributes;
        if (kept == null) {
            kept = new HashMap<>();
            attributes = kept;
        }
        return kept;
    }

    // ---- the end

    /**
     * Registers an action for the end of the exchange.
     *
     * @param of the filter that registers the action
     */
    void onCompleted(FilterSlot of, Consumer<? super Completion> action) {
        completion = completion == null ? new CompletionActions() : completion;
        completion.add(of, action);
    }

    /** Runs the registered actions. Called when the exchange has ended and its record is complete. */
    void completed() {
        if (completion != null) {
            completion.run(loop, state, this);
        }
    }

    /** Returns a future that the event loop of the exchange will complete. */
    <T> CallFuture<T> future() {
        return new CallFuture<>(loop.loop());
    }

    /**
     * Runs {@code task} on the event loop. Runs it immediately if the current thread is the thread of the event loop.
     */
    void onLoop(Runnable task) {
        loop.loop().onLoop(task);
    }

    /**
     * Returns the call-outs of the exchange. Called only on the event loop, so that only one object is created for the
     * exchange.
     */
    FilterCalls calls() {
        calls = calls == null ? new FilterCalls(loop, host, this) : calls;
        return calls;
    }

    /** Ends the call-outs of a filter that has returned its outcome or was abandoned. */
    void endCalls() {
        if (calls != null) {
            calls.end();
        }
    }

    // ---- choices

    FilterChoices choose() {
        choices = choices == null ? new FilterChoices(state) : choices;
        return choices;
    }

    /** Returns the choices of filters; null if filters have chosen nothing. */
    @Nullable
    FilterChoices choices() {
        return choices;
    }

    /**
     * Returns the id of the route that filters have chosen. If filters have not chosen a route, returns the id of the
     * matched route; null if no route matches.
     */
    @Nullable
    String route() {
        Route chosen = choices == null ? null : choices.route();
        chosen = chosen == null ? state.route() : chosen;
        return chosen == null ? null : chosen.id();
    }

    @Nullable
    String upstream() {
        Upstream chosen = choices == null ? null : choices.upstream();
        return chosen == null ? state.upstreamOfRoute() : chosen.name();
    }

    /** Adds a header to the response that will be committed. */
    void addToResponse(String name, String value) {
        HttpHeaders added = responseFields;
        if (added == null) {
            added = DefaultHttpHeadersFactory.headersFactory().newHeaders();
            responseFields = added;
        }
        added.add(name, value);
    }

    /** Adds the headers of {@link #addToResponse} to the response, which is about to be committed. */
    void completeResponse(ResponseHead head) {
        if (responseFields != null) {
            head.headers().add(responseFields);
        }
    }

    /** Sets the timeout of the whole exchange, in nanoseconds from now. */
    void exchangeTimeout(long nanos) {
        host.limit(nanos);
    }

    long cost() {
        return state.cost();
    }

    /**
     * Sets the cost of the exchange. Body transforms may call this method on the event loop while no filter is being
     * called.
     */
    void cost(long units) {
        state.cost(units);
    }

    /**
     * Bans the client of the exchange.
     *
     * @throws IllegalArgumentException if the time is not permitted
     */
    void ban(Duration time, String reason) {
        ClientProtections clients = state.generation().clients();
        clients.bans()
                .add(
                        state.clientAddress(),
                        clients.clients(),
                        time,
                        Bans.printable(reason),
                        Ban.Source.FILTER,
                        slot().name());
    }

    /**
     * Returns whether this exchange should cost less than usual, because the overload of its upstream has reached the
     * level of a brown-out.
     */
    boolean isBrownout() {
        String name = upstream();
        OverloadPolicy policy = state.generation().overload();
        return name != null
                && state.inputs().isBrownout(name, upstream -> policy != null && policy.isBrownout(upstream));
    }

    boolean isOnLoop() {
        return loop.loop().inLoop();
    }

    // ---- what filters read

    ExchangeState state() {
        return state;
    }

    /** Returns the request head; a placeholder if the client's bytes were not HTTP. */
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

    /**
     * Returns the request head as it was before the first filter ran. If the request was rejected before any filter
     * ran, returns the received head.
     */
    RequestHead originalRequest() {
        RequestHead kept = original;
        return kept == null ? requestHead() : kept;
    }

    void originalRequest(RequestHead kept) {
        original = kept;
    }

    /** Returns the response head; null if there is no response yet. */
    @Nullable
    ResponseHead responseHead() {
        return state.responseHead();
    }

    @Nullable
    GatewayError error() {
        return state.error() == null && stage == FilterStage.FALLBACK ? state.remedyFor() : state.error();
    }

    @Override
    public void filterFailed() {
        state.filterFailed();
    }

    @Override
    public LogMark mark() {
        return new LogMark(state.requestId(), route());
    }
}
