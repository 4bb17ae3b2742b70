package dev.lychgate.exchange;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.exchange.attempt.Attempt;
import dev.lychgate.exchange.attempt.AttemptOwner;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.filtering.FilteredExchange;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.exchange.tunnel.Tunnel;
import dev.lychgate.exchange.tunnel.TunnelOwner;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.origin.ResponseBodyListener;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** One exchange, as its steps need it: its state, filters and attempts, and the ways to respond and to fail. */
abstract class ExchangeParts implements AttemptOwner, TunnelOwner {
    final ExchangeState state;
    final ResponseRelay relay;
    private Filtering filtering = Filtering.NONE;
    private final Loop loop;
    private final QuietPeriod faults;
    private @Nullable Deadline limit;
    private @Nullable Tunnel tunnel;
    private @Nullable Attempts attempts;
    private @Nullable FailureHandler failureHandler;
    private @Nullable Fallback fallback;
    /** The places that the exchange holds on its route; null if the route counts none. */
    @Nullable
    RoutePlaces places;

    /** Where the request goes, between the steps that decide it and the first attempt. */
    @Nullable
    ProxyTarget target;
    /** The path and query for the origin. */
    String path = "";

    ExchangeParts(ExchangeState state, Loop loop, QuietPeriod faults) {
        this.state = state;
        this.loop = loop;
        this.faults = faults;
        this.relay = new ResponseRelay(this);
    }

    final ProxyTarget requireTarget() {
        ProxyTarget chosen = target;
        if (chosen == null) {
            throw state.unexpected("no target");
        }
        return chosen;
    }

    // ---- filters

    @Override
    public final Filtering filtering() {
        return filtering;
    }

    /** Makes the filtering of an exchange that filters run over. */
    abstract FilteredExchange newFiltering();

    /** Returns the filtering that runs filters, which exists from the first call on. */
    final FilteredExchange activeFiltering() {
        if (filtering instanceof FilteredExchange active) {
            return active;
        }
        FilteredExchange active = newFiltering();
        filtering = active;
        return active;
    }

    /**
     * Runs {@code chain} unless it is empty; its result may be reported before this returns. An exchange that meets no filter
     * takes the straight path.
     *
     * @return whether there are filters; if not, the caller continues
     */
    final boolean runs(FilterStage stage, FilterSlot[] chain) {
        if (chain.length == 0) {
            return false;
        }
        activeFiltering().run(stage, chain);
        return true;
    }

    // ---- attempts

    /** Returns the attempts; null while the exchange needs no origin. */
    final @Nullable Attempts attempts() {
        return attempts;
    }

    final Attempts requireAttempts() {
        Attempts all = attempts;
        if (all == null) {
            throw state.unexpected("no attempts");
        }
        return all;
    }

    final void attempts(Attempts all) {
        attempts = all;
    }

    /** Ends the attempt under way, if there is one. @param why see {@link Attempts#end} */
    final void endAttempt(@Nullable GatewayError why) {
        Attempts all = attempts;
        if (all != null) {
            all.end(why);
        }
    }

    // ---- events of attempts

    @Override
    public final ResponseBodyListener responseBody() {
        return relay;
    }

    @Override
    public final void onInformational(ResponseHead interim) {
        relay.onInformational(interim);
    }

    @Override
    public final void onResponse(Attempt attempt, ResponseHead head) {
        state.timeline().firstByte(attempt.answeredAt());
        relay.onHead(head);
    }

    @Override
    public final boolean onFailureStatus(ResponseHead head) {
        return fallback().onFailureStatus(head);
    }

    @Override
    public final void onExhausted(GatewayError error, int retryAfter) {
        if (retryAfter > 0) {
            failureHandler().retryAfter(retryAfter);
        }
        fallback().onExhausted(error);
    }

    @Override
    public final boolean onTunnelFailed() {
        Tunnel open = tunnel();
        boolean over = open != null && open.isClosing();
        if (over) {
            // Both sides have sent their close frames; how the origin's connection ends does not matter.
            finishTunnel();
        }
        return over;
    }

    @Override
    public final boolean onConnectionWanted(long patience) {
        if (state.phase() == Phase.RELAYING && relay.stalled() >= patience) {
            fail(GatewayError.downstream(
                    ErrorKind.CLIENT_STALLED, "others waited for the connection, and the client took nothing"));
            return true;
        }
        if (state.phase() == Phase.FORWARDING
                && state.request() == Half.BODY
                && state.downstream().bodySilence() >= patience) {
            state.abortRequest();
            fail(GatewayError.downstream(
                    ErrorKind.REQUEST_TIMEOUT, "others waited for the connection, and the client sent nothing"));
            return true;
        }
        return false;
    }

    // ---- tunnels

    /** Returns the tunnel that the response has granted; null if there is none, or if the exchange is over. */
    final @Nullable Tunnel tunnel() {
        return state.isClosed() ? null : tunnel;
    }

    /** The committed response grants a tunnel. */
    final void openTunnel() {
        // The limit is for the handshake; a tunnel has limits of its own.
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

    /** The exchange is over. @param ofClient whether the client has ended it */
    final void closeTunnel(boolean ofClient) {
        if (tunnel != null) {
            state.tunnelEnded(tunnel.close(state.error(), ofClient));
        }
    }

    // ---- endings

    @Override
    public final void fail(GatewayError error) {
        failureHandler().fail(error);
    }

    @Override
    public final void failLogged(GatewayError error) {
        failureHandler().failLogged(error);
    }

    /** Returns what happens when all attempts have failed. */
    final Fallback fallback() {
        Fallback f = fallback;
        if (f == null) {
            f = new Fallback(this);
            fallback = f;
        }
        return f;
    }

    /** Returns what happens when the exchange fails. */
    final FailureHandler failureHandler() {
        FailureHandler f = failureHandler;
        if (f == null) {
            f = new FailureHandler(this, faults);
            failureHandler = f;
        }
        return f;
    }

    /**
     * Counts the head of an origin's response as that of the request is counted: the exchange keeps it until the client has the
     * whole response.
     *
     * @return false if it exceeds the memory for unfinished messages
     */
    abstract boolean keep(ResponseHead received);

    /** The exchange ends within {@code nanos} from now on, which replaces an earlier limit. */
    final void endWithin(long nanos) {
        state.endsWithin(nanos);
        if (limit == null) {
            limit = new Limit();
        }
        loop.deadlines().arm(limit, nanos);
    }

    final void endLimit() {
        if (limit != null) {
            loop.deadlines().remove(limit);
        }
    }

    private final class Limit extends Deadline {
        @Override
        protected void onDeadline() {
            fail(GatewayError.upstream(
                    ErrorKind.EXCHANGE_TIMEOUT, Retry.NEVER, "the exchange took longer than it may"));
        }
    }

    /** The exchange has become a tunnel. */
    abstract void onTunnel();

    /** The gateway is shutting down: a tunnel ends now, everything else when it is complete. */
    abstract void drain();

    /** The exchange is over and its response is not complete: aborts the client's connection or stream. */
    abstract void abort();

    /**
     * The response is complete: the exchange is over.
     *
     * @param requestDone whether the request has been read to its end
     */
    abstract void finish(boolean requestDone);
}
