package dev.lychgate.exchange.state;

import dev.lychgate.cache.CacheOutcome;
import dev.lychgate.config.OnFailure;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.Identity;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records the facts of an exchange. The facts may be recorded in any order. Used on the exchange's event loop. */
public abstract non-sealed class ExchangeFacts extends ExchangeRecord {
    /** Whether a trusted proxy has named a client, even if the name can't be used. */
    boolean clientNamed;

    private List<String> varying = List.of();

    ExchangeFacts(String requestId, Downstream downstream, Generation generation, Timeline timeline) {
        super(requestId, downstream, generation, timeline);
    }

    /** Sets the receiver of the exchange's events for a recording. */
    public void tap(ExchangeTap receiver) {
        tap = receiver;
    }

    /** Sets the time and the random numbers, for example from a recording. Called before any filter runs. */
    public void determine(ExchangeInputs given) {
        inputs(given);
    }

    /**
     * Records the arrival of the request head.
     *
     * @param id the final request id
     * @param client the client that a trusted proxy names; null if the client is the peer of the connection
     */
    public void accept(RequestHead head, String id, @Nullable InetSocketAddress client) {
        requestHead = head;
        requestId = id;
        forwardedClient = client;
    }

    /** Records that a trusted proxy names the client of the request, even if the name can't be read. */
    public void nameClient() {
        clientNamed = true;
    }

    /**
     * Records the group of the exchange during a rollout.
     *
     * @param of the result of {@link dev.lychgate.generation.Split#group}
     */
    public void group(int of) {
        group = of;
    }

    /** Adds a request field to the key of stored responses. */
    public void varyBy(String field) {
        String name = field.toLowerCase(Locale.ROOT);
        if (!varying.contains(name)) {
            varying = Stream.concat(varying.stream(), Stream.of(name)).sorted().toList();
        }
    }

    /**
     * Returns the request fields that filters have added to the key of stored responses, in lower case, sorted and
     * unique.
     */
    public List<String> varying() {
        return varying;
    }

    /** Sets the verified identity of the sender. {@code verified} is null for an unknown sender. */
    public void identify(@Nullable Identity verified) {
        identity = verified;
    }

    /** Sets the span of this exchange in a distributed trace. */
    public void trace(TraceContext context) {
        trace = context;
    }

    /** Adds to the number of request body bytes. */
    public void addRequestBytes(int count) {
        requestBytes += count;
    }

    /** Records that an injected fault takes effect. */
    public void injected(Injection injection) {
        if (injections.isEmpty()) {
            injections = new ArrayList<>(2);
        }
        injections.add(injection);
    }

    /** Records how the cache contributed to the response. */
    public void cached(CacheOutcome as) {
        cache = as;
    }

    /** Records the beginning of an attempt, which is the current attempt from now on. */
    public void attemptBegan(AttemptView attempt) {
        attempts++;
        endpoint = attempt.endpoint();
        timeline.attemptBegins(attempt);
    }

    /**
     * Records the beginning of a hedge. The current attempt is {@code first} until one of the two responses is
     * accepted.
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

    /** Sets the response head, which comes from the origin or from the gateway. */
    public void responded(ResponseHead head) {
        responseHead = head;
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

    /** Sets the error with which the exchange fails. */
    public void failed(GatewayError why) {
        error = why;
    }

    /**
     * Records the remedy that the gateway has chosen after the upstream failed.
     *
     * @param why the error; null if the failure is the status of a response
     */
    public void remedied(OnFailure.Remedy by, @Nullable GatewayError why) {
        remedy = by;
        remedyFor = why;
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
}
