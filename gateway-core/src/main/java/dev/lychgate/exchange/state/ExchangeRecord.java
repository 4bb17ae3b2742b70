package dev.lychgate.exchange.state;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.chain.LogMark;
import dev.lychgate.config.OnFailure;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.Identity;
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

/**
 * The facts about an exchange that its observer reads. {@link ExchangeState} writes the facts. An observer must read
 * them on the exchange's event loop.
 */
public abstract sealed class ExchangeRecord implements LogMark.Source permits ExchangeFacts {
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

    /** The client that a trusted proxy names; null if the client is the peer of the connection. */
    @Nullable
    InetSocketAddress forwardedClient;

    /** The verified identity of the sender; null if the sender is unknown. */
    @Nullable
    Identity identity;

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

    @Nullable
    CacheOutcome cache;

    int group;
    boolean filterFailed;

    /** The call-outs of filters. All exchanges without call-outs share one empty list. */
    List<Call> calls = List.of();

    /** The effects of injected faults. All exchanges without injected faults share one empty list. */
    List<Injection> injections = List.of();

    @Nullable
    TunnelEnd tunnelEnd;

    ExchangeTap tap = ExchangeTap.NONE;

    /** Null until a filter or a recording needs the inputs. */
    private @Nullable ExchangeInputs inputs;

    /**
     * A call-out of a filter, recorded as a separate exchange without a client.
     *
     * @param upstream the name of the upstream that is called
     * @param exchange the request, response, attempts and times of the call-out. If the call-out was cancelled, there
     *     is neither a status nor an error
     */
    public record Call(String upstream, ExchangeRecord exchange) {}

    /**
     * An effect of an injected fault.
     *
     * @param fault the name of the fault
     * @param kind the kind of the effect
     * @param amount for a delay, its length in nanoseconds; for an abort, the status; for a bandwidth, the number of
     *     bytes per second; for other kinds, 0
     */
    public record Injection(String fault, FaultRule.Kind kind, long amount) {
        /** Describes the effect for the log, for example {@code slow-db: delay 200 ms}. */
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

    /**
     * Returns the receiver of this exchange's events for a recording; {@link ExchangeTap#NONE} if the exchange is not
     * recorded.
     */
    public final ExchangeTap tap() {
        return tap;
    }

    /** Returns the time and the random numbers for filters. The first call determines them. */
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

    /** Returns the state of the request half. */
    public final Half request() {
        return request;
    }

    /** Returns the state of the response half. */
    public final Half response() {
        return response;
    }

    /** Returns the request head; null if the bytes of the client were not HTTP. */
    public final @Nullable RequestHead requestHead() {
        return requestHead;
    }

    /** Returns the response head; null until a response exists. */
    public final @Nullable ResponseHead responseHead() {
        return responseHead;
    }

    /**
     * Returns the client that a trusted proxy names in the request or, without a trusted proxy, the peer of the
     * connection. The port is 0 if the proxy does not name the port.
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

    /** Returns the generation of the exchange: the stable generation or, during a rollout, possibly the candidate. */
    public final Generation generation() {
        return generation;
    }

    public final Timeline timeline() {
        return timeline;
    }

    /** Returns the span of this exchange in a distributed trace; null if the exchange belongs to no trace. */
    public final @Nullable TraceContext trace() {
        return trace;
    }

    public final String requestId() {
        return requestId;
    }

    /**
     * Returns the {@linkplain dev.lychgate.generation.Split#group group} of the exchange during a rollout; 0 if no
     * rollout is in progress.
     */
    public final int group() {
        return group;
    }

    /** Returns the route that matched the request; null if no route matched. */
    public final @Nullable Route route() {
        return route;
    }

    /** Returns the endpoint of the last attempt; null if there was no attempt. */
    public final @Nullable Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the number of attempts that have begun. */
    public final int attempts() {
        return attempts;
    }

    /** Returns the status that the client received, or would have received if it had not closed the connection. */
    public final int status() {
        return status;
    }

    /**
     * Returns the number of received request body bytes without framing; for a tunnel, the number of all bytes from the
     * client.
     */
    public final long requestBytes() {
        return requestBytes;
    }

    /**
     * Returns the number of written response body bytes without framing; for a tunnel, the number of all bytes to the
     * client.
     */
    public final long responseBytes() {
        return responseBytes;
    }

    /** Returns the verified identity of the sender; null if the sender is unknown. */
    public final @Nullable Identity identity() {
        return identity;
    }

    /** Returns the cost that filters have set for rate limits; 0 if filters have set no cost. */
    public final long cost() {
        return cost;
    }

    /** Returns whether the route's upstream failed and the fallback of the route was tried, successfully or not. */
    public final boolean fellBack() {
        return remedy != null && remedy != OnFailure.Remedy.FAIL_FAST;
    }

    /**
     * Returns the error that the fallback replaced; null if there was no fallback, or if the fallback replaced a
     * response because of its status.
     */
    public final @Nullable GatewayError fallbackFor() {
        return fellBack() ? remedyFor : null;
    }

    /**
     * Returns the remedy after the route's upstream failed; null if the upstream did not fail, or failed after the
     * response was committed.
     */
    public final OnFailure.@Nullable Remedy remedy() {
        return remedy;
    }

    /**
     * Returns the error that led to the {@link #remedy}; null if there was no remedy, or if the status of a response
     * led to the remedy.
     */
    public final @Nullable GatewayError remedyFor() {
        return remedyFor;
    }

    /** Returns the reason why the tunnel ended; null if the exchange is not a tunnel, or the tunnel is still open. */
    public final @Nullable TunnelEnd tunnelEnd() {
        return tunnelEnd;
    }

    /**
     * Returns how the cache contributed to the response; null if the route has no cache, or the exchange has not ended.
     */
    public final @Nullable CacheOutcome cache() {
        return cache;
    }

    /** Returns the priority of a request that was shed because of overload; -1 if the request was not shed. */
    public final int shed() {
        return shed;
    }

    /**
     * Returns whether a filter failed in this exchange. The exchange may have continued, depending on the failure
     * policy of the filter.
     */
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

    /** Returns the error with which the exchange ended; null if the exchange ended without an error. */
    public final @Nullable GatewayError error() {
        return error;
    }
}
