package dev.lychgate.exchange.state;

import dev.lychgate.chain.LogMark;
import dev.lychgate.config.OnFailure;
import dev.lychgate.error.GatewayError;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.upstream.Endpoint;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The facts that an exchange records for its observer. Written by {@link ExchangeState}, read on the exchange's event loop. */
public abstract sealed class ExchangeRecord implements LogMark.Source permits ExchangeState {
    final Downstream downstream;
    final Timeline timeline;
    Generation generation;
    Phase phase = Phase.FILTERING_REQUEST;
    Half request = Half.HEAD;
    Half response = Half.HEAD;
    String requestId;

    @Nullable
    RequestHead requestHead;

    @Nullable
    ResponseHead responseHead;

    @Nullable
    TraceContext trace;

    /** The client behind a trusted proxy; null if it is the downstream's peer. */
    @Nullable
    InetSocketAddress forwardedClient;

    @Nullable
    Route route;

    @Nullable
    Endpoint endpoint;

    int attempts;
    int status;
    long requestBytes;
    long responseBytes;
    long cost;

    @Nullable
    GatewayError error;

    OnFailure.@Nullable Remedy remedy;

    @Nullable
    GatewayError remedyFor;

    int shed = -1;
    int group;
    boolean filterFailed;

    /** Empty, and shared by all exchanges, without call-outs. */
    List<Call> calls = List.of();

    /** Empty, and shared by all exchanges, without injected faults. */
    List<Injection> injections = List.of();

    @Nullable
    TunnelEnd tunnelEnd;

    ExchangeTap tap = ExchangeTap.NONE;

    /** Null until a filter or a recording needs them. */
    private @Nullable ExchangeInputs inputs;

    /**
     * A call-out of a filter, as a separate exchange without a client.
     *
     * @param upstream the name of the upstream that is called
     * @param exchange its request, response, attempts and times; neither status nor error if it was cancelled
     */
    public record Call(String upstream, ExchangeRecord exchange) {}

    /**
     * An effect of an injected fault.
     *
     * @param fault the name of the fault
     * @param amount of a delay, its length in nanoseconds; of an abort, the status; of a bandwidth, bytes per second; otherwise 0
     */
    public record Injection(String fault, FaultRule.Kind kind, long amount) {
        /** Returns the effect in words: {@code slow-db: delay 200 ms}. */
        @Override
        public String toString() {
            return fault + ": "
                    + switch (kind) {
                        case DELAY -> "delay " + TimeUnit.NANOSECONDS.toMillis(amount) + " ms";
                        case ABORT -> "abort with " + amount;
                        case RESET -> "reset";
                        case BANDWIDTH -> "bandwidth " + amount + " bytes/s";
                    };
        }
    }

    ExchangeRecord(String requestId, Downstream downstream, Generation generation, Timeline timeline) {
        this.requestId = requestId;
        this.downstream = downstream;
        this.generation = generation;
        this.timeline = timeline;
    }

    /** Returns the receiver of the exchange's course. */
    public final ExchangeTap tap() {
        return tap;
    }

    /** Returns the time and the random numbers for filters; chooses them at the first call. */
    public final ExchangeInputs inputs() {
        ExchangeInputs chosen = inputs;
        if (chosen == null) {
            long millis = System.currentTimeMillis() - (System.nanoTime() - timeline.began()) / 1_000_000;
            chosen = new ExchangeInputs(
                    Instant.ofEpochMilli(millis), ThreadLocalRandom.current().nextLong());
            inputs = chosen;
        }
        return chosen;
    }

    final void inputs(ExchangeInputs given) {
        inputs = given;
    }

    public final Phase phase() {
        return phase;
    }

    /** Returns the progress of the request. */
    public final Half request() {
        return request;
    }

    /** Returns the progress of the response. */
    public final Half response() {
        return response;
    }

    /** Returns the request head; null if the bytes were not HTTP. */
    public final @Nullable RequestHead requestHead() {
        return requestHead;
    }

    /** Returns the response head; null until there is one. */
    public final @Nullable ResponseHead responseHead() {
        return responseHead;
    }

    /**
     * Returns the client: the one that a trusted proxy names in the request, otherwise the peer of the connection. The port is
     * 0 if the proxy does not name it.
     */
    public final InetSocketAddress client() {
        InetSocketAddress forwarded = forwardedClient;
        return forwarded == null ? downstream.peer() : forwarded;
    }

    @Override
    public final LogMark mark() {
        Route chosen = route;
        return new LogMark(requestId, chosen == null ? null : chosen.id());
    }

    public final Downstream downstream() {
        return downstream;
    }

    /** Returns the generation that the exchange belongs to: the stable one, or during a rollout the candidate. */
    public final Generation generation() {
        return generation;
    }

    public final Timeline timeline() {
        return timeline;
    }

    /** Returns the exchange's place in a distributed trace; null if it is in none. */
    public final @Nullable TraceContext trace() {
        return trace;
    }

    public final String requestId() {
        return requestId;
    }

    /** Returns the {@linkplain dev.lychgate.generation.Split#group group} of the exchange during a rollout; 0 without one. */
    public final int group() {
        return group;
    }

    /** Returns the route that matched; null if none did. */
    public final @Nullable Route route() {
        return route;
    }

    /** Returns the endpoint of the last attempt; null if there was none. */
    public final @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /** Returns how many attempts began. */
    public final int attempts() {
        return attempts;
    }

    /** Returns the status that the client received, or would have received if it had waited. */
    public final int status() {
        return status;
    }

    /** Returns the received bytes of the request body, without framing; of a tunnel, all bytes from the client. */
    public final long requestBytes() {
        return requestBytes;
    }

    /** Returns the written bytes of the response body, without framing; of a tunnel, all bytes to the client. */
    public final long responseBytes() {
        return responseBytes;
    }

    /** Returns the cost that filters have set for rate limits; 0 if they have set none. */
    public final long cost() {
        return cost;
    }

    /** Returns whether the route's upstream failed and its fallback responded or was tried. */
    public final boolean fellBack() {
        return remedy != null && remedy != OnFailure.Remedy.FAIL_FAST;
    }

    /** Returns the error that the fallback replaced; null if there was none, or if it replaced the status of a response. */
    public final @Nullable GatewayError fallbackFor() {
        return fellBack() ? remedyFor : null;
    }

    /** Returns the remedy after the route's upstream failed; null if it did not fail, or failed after the commit. */
    public final OnFailure.@Nullable Remedy remedy() {
        return remedy;
    }

    /** Returns the error that {@link #remedy} was for; null if there was none, or if it was for the status of a response. */
    public final @Nullable GatewayError remedyFor() {
        return remedyFor;
    }

    /** Returns why the tunnel ended; null if the exchange was no tunnel, or still is one. */
    public final @Nullable TunnelEnd tunnelEnd() {
        return tunnelEnd;
    }

    /** Returns the priority of a request that was shed because of overload; -1 if it was not shed. */
    public final int shed() {
        return shed;
    }

    /** Returns whether a filter failed in this exchange. The filter's failure policy may have let the exchange continue. */
    public final boolean hasFailedFilter() {
        return filterFailed;
    }

    /** Returns the call-outs of filters, in the order in which they began. */
    public final List<Call> calls() {
        return calls;
    }

    /** Returns the effects of injected faults, in the order in which they began; empty for almost all exchanges. */
    public final List<Injection> injections() {
        return injections;
    }

    /** Returns the error that the exchange ended with; null if there was none. */
    public final @Nullable GatewayError error() {
        return error;
    }
}
