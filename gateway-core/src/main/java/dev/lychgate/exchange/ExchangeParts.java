package dev.lychgate.exchange;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.client.ClientPermit;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.attempt.Attempt;
import dev.lychgate.exchange.attempt.AttemptOwner;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.filtering.FilteredExchange;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.tunnel.Tunnel;
import dev.lychgate.exchange.tunnel.TunnelOwner;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.generation.OverloadPolicy;
import dev.lychgate.generation.Traffic;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.origin.ResponseBodyListener;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an exchange that its steps use: state, filters, attempts, and methods that respond to the request or
 * fail the exchange.
 */
abstract class ExchangeParts extends ForwardedExchange implements AttemptOwner, TunnelOwner, FailureOwner {
    final ResponseRelay relay;
    private Filtering filtering = Filtering.NONE;
    private final Loop loop;
    private final QuietPeriod faults;
    private @Nullable Deadline limit;
    private @Nullable Tunnel tunnel;
    private @Nullable FailureHandler failureHandler;
    private @Nullable Fallback fallback;
    /**
     * The permits that the exchange has acquired on its route; null if the route limits neither requests nor
     * WebSockets.
     */
    @Nullable
    RoutePlaces places;

    /** The rate limits that have counted the request; null if no limit has counted it. */
    @Nullable
    CountedRates rates;

    /** The permit of the client for this request. */
    ClientPermit permit = ClientPermit.UNLIMITED;

    /** The effects of injected faults. Almost all exchanges have none. */
    Injected injected = Injected.NONE;

    ExchangeParts(ExchangeState state, Loop loop, QuietPeriod faults) {
        super(state, loop);
        this.loop = loop;
        this.faults = faults;
        this.relay = new ResponseRelay(this);
    }

    final CountedRates rates() {
        CountedRates counted = rates;
        if (counted == null) {
            counted = new CountedRates();
            rates = counted;
        }
        return counted;
    }

    // ---- filters

    @Override
    public final Filtering filtering() {
        return filtering;
    }

    abstract FilteredExchange newFiltering();

    /** Returns the {@code FilteredExchange}, which runs the filters. The first call creates this object. */
    final FilteredExchange activeFiltering() {
        if (filtering instanceof FilteredExchange active) {
            return active;
        }
        FilteredExchange active = newFiltering();
        filtering = active;
        return active;
    }

    @Override
    public final boolean runs(FilterStage stage, FilterSlot[] chain) {
        if (chain.length == 0) {
            return false;
        }
        activeFiltering().run(stage, chain);
        return true;
    }

    /** Returns the value that filters have stored under {@code key}; null if there is none. */
    public final <T> @Nullable T attribute(AttributeKey<T> key) {
        return filtering.attribute(key);
    }

    // ---- attempt events

    @Override
    public final ResponseBodyListener responseBody() {
        return observed(relay);
    }

    @Override
    public final void onInformational(ResponseHead interim) {
        relay.onInformational(interim);
    }

    @Override
    public final void onAccepted(ResponseHead head) {
        observe(head);
    }

    @Override
    public final void onResponse(Attempt attempt, ResponseHead head) {
        state.timeline().firstByte(attempt.answeredAt());
        state.tap().onOrigin(head);
        if (cached == null || !cached.replacesResponse()) {
            relay.onHead(head);
        }
    }

    @Override
    public final boolean onFailureStatus(ResponseHead head) {
        if (cached != null && head.status() >= 500 && cached.respondsDespite(null)) {
            return true;
        }
        return fallback().onFailureStatus(head);
    }

    @Override
    public final void onExhausted(GatewayError error, int retryAfter) {
        boolean shed = OverloadPolicy.isShed(error.kind());
        if (shed) {
            countShed(error.kind());
        }
        if (cached != null && error.side() != Side.DOWNSTREAM && respondsFromCache(cached, error, shed)) {
            return;
        }
        if (retryAfter > 0) {
            failureHandler().retryAfter(retryAfter);
        }
        fallback().onExhausted(error);
    }

    private static boolean respondsFromCache(CacheRole cache, GatewayError error, boolean shed) {
        return shed ? cache.respondsToShed(error) : cache.respondsDespite(error);
    }

    @Override
    public final boolean onTunnelFailed() {
        Tunnel open = tunnel();
        boolean over = open != null && open.isClosing();
        if (over) {
            // A close frame has announced the end of the tunnel, so a failure of the origin's connection is no error.
            finishTunnel();
        }
        return over;
    }

    @Override
    public final boolean onConnectionWanted(long patience) {
        GatewayError stalled = StalledClient.failure(state, relay.origin.stalled(), patience);
        if (stalled != null) {
            fail(stalled);
        }
        return stalled != null;
    }

    // ---- tunnels

    /** Returns the open tunnel; null if the exchange is not a tunnel or has ended. */
    final @Nullable Tunnel tunnel() {
        return state.isClosed() ? null : tunnel;
    }

    /** Opens the tunnel. Called after the response is committed. */
    final void openTunnel() {
        // The timeout of the exchange applies only to the handshake; the tunnel has its own timeouts.
        endLimit();
        WebSocketPolicy policy = places == null ? null : places.becomeTunnel();
        if (policy == null) {
            throw state.unexpected("a tunnel without a WebSocket");
        }
        Downstream downstream = state.downstream();
        Attempts all = requireAttempts();
        Tunnel opened = new Tunnel(this, loop, downstream, all.becomeTunnel(), policy);
        tunnel = opened;
        onTunnel();
        boolean ended = filtering.deliverTunnel(opened::fromOrigin);
        downstream.flush();
        if (ended) {
            finishTunnel();
            return;
        }
        if (filtering.isActive()) {
            relay.readOnAfterFilters();
        }
        downstream.resumeReading();
        all.flush();
        if (downstream.isDraining()) {
            drain();
        }
    }

    @Override
    public final void writeTunnel(ByteBuf bytes) {
        relay.sendBody(bytes);
    }

    @Override
    public final void finishTunnel() {
        if (!state.isClosed()) {
            state.response(Half.DONE);
            finish(false);
        }
    }

    /**
     * Closes the tunnel at the end of the exchange.
     *
     * @param ofClient whether the client has closed its connection
     */
    final void closeTunnel(boolean ofClient) {
        if (tunnel != null) {
            state.tunnelEnded(tunnel.close(state.error(), ofClient));
        }
    }

    // ---- end

    @Override
    public final void fail(GatewayError error) {
        failureHandler().fail(error);
    }

    @Override
    public final void failLogged(GatewayError error) {
        failureHandler().failLogged(error);
    }

    @Override
    public final void stop(GatewayError why) {
        filtering.cancel();
        injected.cancel();
        if (cached != null) {
            cached.cancel();
        }
        if (rates != null) {
            rates.cancel();
        }
        Attempts all = attempts();
        if (all != null) {
            all.end(why);
            all.giveUp();
        }
    }

    @Override
    public final void respond(ResponseHead local, ByteBuf body, int recorded) {
        relay.respond(local, body, recorded);
    }

    @Override
    public final void dropResponse() {
        relay.drop();
    }

    /** Returns the handler that responds after all attempts have failed. */
    final Fallback fallback() {
        Fallback f = fallback;
        if (f == null) {
            f = new Fallback(this, state);
            fallback = f;
        }
        return f;
    }

    final FailureHandler failureHandler() {
        FailureHandler f = failureHandler;
        if (f == null) {
            f = new FailureHandler(this, state, faults);
            failureHandler = f;
        }
        return f;
    }

    /** Sets the deadline of the exchange to {@code nanos} nanoseconds from now. Replaces an earlier deadline. */
    final void endWithin(long nanos) {
        state.endsWithin(nanos);
        if (limit == null) {
            limit = new ExchangeLimit(this);
        }
        loop.deadlines().arm(limit, nanos);
    }

    final void endLimit() {
        if (limit != null) {
            loop.deadlines().remove(limit);
        }
    }

    /**
     * Returns the candidate generation, which the request may use instead of the stable generation; null if there is no
     * candidate.
     */
    abstract Traffic.@Nullable Candidate candidate();

    /**
     * Assigns the exchange to the candidate. Must be called before the exchange has used any part of the stable
     * generation or of the candidate.
     */
    abstract void meet(Traffic.Candidate chosen);

    abstract void onTunnel();

    /**
     * Reacts to the shutdown of the gateway. Ends the exchange immediately if it is a tunnel, and ends delays and speed
     * limits of injected faults. An exchange that is not a tunnel continues until it is complete.
     */
    abstract void drain();

    /** Ends the exchange with an incomplete response, like {@link #abort()}, but resets the client's connection. */
    abstract void reset();

    /**
     * Ends the exchange with a complete response.
     *
     * @param requestDone whether the whole request has been read
     */
    abstract void finish(boolean requestDone);
}
