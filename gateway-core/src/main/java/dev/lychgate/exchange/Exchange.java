package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.filtering.FilteredExchange;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeInputs;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.TunnelEnd;
import dev.lychgate.exchange.tunnel.Tunnel;
import dev.lychgate.filter.Identity;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, from the request head to the last byte of the response. An exchange is a state machine
 * with a {@link dev.lychgate.exchange.state.Phase} and with a {@link dev.lychgate.exchange.state.Half} for each
 * direction. This class receives the events of the client, of the attempts and of the deadline on the exchange's event
 * loop. {@link RequestSteps} implements the path of the request, {@link ResponseRelay} the path of the response.
 *
 * <p>An exchange ends in exactly one of the following ways. In each case, the attempt ends, the observer is notified
 * once, and late events are discarded:
 *
 * <ul>
 *   <li>The response is complete ({@link ResponseRelay#sendEnd}): the origin's connection returns to the pool, and the
 *       client's connection stays open.
 *   <li>The exchange fails before the response is committed ({@link #fail}): the client gets an error response. The
 *       client's connection stays open, unless the gateway can't or should not read the rest of the request, for
 *       example after a 408.
 *   <li>The exchange fails after the response is committed ({@link #abort}): the client's connection is closed, or its
 *       HTTP/2 stream is reset.
 *   <li>The client closes its connection ({@link #onDownstreamClosed}), or resets its connection or stream ({@link
 *       #onDownstreamReset}): nothing more is sent.
 * </ul>
 *
 * <p>If the origin's response is incomplete at the end of the exchange, the origin's connection is closed; in HTTP/2,
 * only the stream is reset.
 */
public final class Exchange extends ExchangeParts {
    private final Worker worker;
    private final Downstream downstream;
    private boolean clientEnded;
    /**
     * The wait for the rest of the request body; null until it is created. Created after a read from the client, if the
     * request is still incomplete and the heads of all requests use much memory.
     */
    private @Nullable AwaitedBody awaitedBody;

    public Exchange(Worker worker, Downstream downstream) {
        this(worker, downstream, worker.nextRequestId());
    }

    /** Creates an exchange with a given request id, such as the id in a recording. */
    public Exchange(Worker worker, Downstream downstream, String requestId) {
        super(
                new ExchangeState(worker.loop(), downstream, worker.generation(), requestId),
                worker.loop(),
                worker.faults);
        this.worker = worker;
        this.downstream = downstream;
        state.generation().began(worker.loop().index());
    }

    /** Sets the time and the random numbers, for example from a recording. Must be called before the request begins. */
    public void determine(ExchangeInputs given) {
        state.determine(given);
    }

    /**
     * Sets the verified identity of the sender, for example from a recording. Must be called before the request begins.
     */
    public void identify(@Nullable Identity sender) {
        state.identify(sender);
    }

    // ---- events of the client

    /** Begins the exchange with a request head. */
    public void begin(RequestHead received) {
        accept(received);
        begin();
    }

    /**
     * Accepts a request head. No part of the request is forwarded before {@link #begin()}, because the rest of the
     * request may be malformed.
     */
    public void accept(RequestHead received) {
        RequestAcceptance.accept(received, this, worker.loop());
        ExchangeTap.Source taps = worker.taps;
        if (taps != null) {
            state.tap(taps.tap(state, state));
        }
    }

    /** Begins the processing of the accepted request. */
    public void begin() {
        worker.steps.from(RequestStep.CLIENT_LIMITS, this);
    }

    /**
     * Begins the exchange and fails it immediately.
     *
     * @param received the request head; null if no head could be read
     * @param error the reason
     */
    public void refuse(@Nullable RequestHead received, GatewayError error) {
        if (received == null) {
            state.abortRequest();
        } else {
            accept(received);
        }
        ClientAdmission.watchRejected(this);
        fail(error);
    }

    /** Processes a chunk of the request body. Owns {@code chunk}. */
    public void onRequestBody(ByteBuf chunk) {
        state.addRequestBytes(chunk.readableBytes());
        state.tap().onRequestBody(chunk);
        Tunnel tunnel = tunnel();
        Attempts attempts = attempts();
        if (tunnel != null) {
            tunnel.fromClient(chunk);
        } else if (state.request() == Half.BODY && filtering().takeRequestChunk(chunk)) {
            // The filters keep the chunk.
        } else if (state.request() == Half.BODY && attempts != null) {
            attempts.onRequestBody(chunk);
        } else {
            chunk.release();
        }
    }

    /** Processes the end of the request. */
    public void onRequestEnd(HttpHeaders trailers) {
        Tunnel tunnel = tunnel();
        Attempts attempts = attempts();
        if (tunnel != null) {
            tunnel.endOfClient();
        } else if (state.request() == Half.BODY) {
            endAwaitedBody();
            state.generation().configuredTrailers().strip(trailers);
            state.requestEnded(trailers);
            if (!filtering().takeRequestEnd(trailers) && attempts != null) {
                attempts.onRequestEnd();
            }
        }
    }

    /** Called after each read from the client. Flushes the body chunks of the read to the origin. */
    public void onDownstreamReadComplete() {
        if (state.request() == Half.BODY) {
            awaitBody();
        }
        Attempts attempts = attempts();
        if (attempts != null) {
            attempts.flush();
        }
    }

    private void awaitBody() {
        AwaitedBody awaited = awaitedBody;
        if (awaited != null) {
            awaited.onRead(record().requestBytes());
        } else if (!state.isClosed() && worker.loop().memory().isCountingHeads()) {
            awaitedBody = new AwaitedBody(this, worker.loop().memory());
        }
    }

    private void endAwaitedBody() {
        AwaitedBody awaited = awaitedBody;
        if (awaited != null) {
            awaited.end();
        }
    }

    /**
     * Returns whether the origin has not responded yet, and the client has sent no byte of the body during the last
     * {@code nanos} nanoseconds.
     */
    boolean isBodyOwed(long nanos) {
        return state.response() == Half.HEAD && state.request() == Half.BODY && downstream.bodySilence() >= nanos;
    }

    /** Continues the response, because the client is writable again. */
    public void onDownstreamWritable() {
        relay.onClientWritable();
    }

    /** Fails the exchange, because the rest of the request is malformed, too long or too slow. */
    public void onRequestBroken(GatewayError error) {
        state.abortRequest();
        fail(error);
    }

    /** Ends the exchange with an error response. If a response is already committed, aborts the response instead. */
    public void cut(GatewayError error) {
        fail(error);
    }

    /** Ends the exchange, because the client has closed its connection and can't receive anything. */
    public void onDownstreamClosed(GatewayError error) {
        if (state.isClosed()) {
            return;
        }
        clientEnded = true;
        Tunnel tunnel = tunnel();
        if (tunnel == null || !tunnel.isClosing()) {
            state.failed(error);
        }
        close();
    }

    /**
     * Ends the exchange, because the client has reset its connection or stream. If the exchange is a tunnel in which no
     * close frame was sent, the connection or stream to the origin is also reset.
     */
    public void onDownstreamReset(GatewayError error) {
        Tunnel tunnel = tunnel();
        if (tunnel != null) {
            tunnel.resetOrigin();
        }
        onDownstreamClosed(error);
    }

    @Override
    public void drain() {
        Tunnel tunnel = tunnel();
        if (tunnel != null) {
            tunnel.end(TunnelEnd.DRAIN);
        }
        injected.drain();
    }

    // ---- events of attempts

    @Override
    public void onAttemptDue() {
        worker.steps.from(RequestStep.BALANCE, this);
    }

    @Override
    public void onTurn() {
        worker.steps.from(RequestStep.LEASE, this);
    }

    @Override
    public void onConnection() {
        worker.steps.from(RequestStep.SEND, this);
    }

    @Override
    public void onResumed() {
        if (!state.isClosed()) {
            downstream.flush();
            onDownstreamReadComplete();
        }
    }

    // ---- what the steps need

    @Override
    FilteredExchange newFiltering() {
        return new FilteredExchange(state, worker.filters, new FilterDecisions(this, worker.steps));
    }

    @Override
    Traffic.@Nullable Candidate candidate() {
        return worker.candidate();
    }

    @Override
    void meet(Traffic.Candidate chosen) {
        Generation before = state.generation();
        chosen.generation().began(worker.loop().index());
        state.meet(chosen.generation());
        before.ended(worker.loop().index());
    }

    @Override
    void onTunnel() {
        worker.observer.onTunnel(this, state);
    }

    // ---- endings

    @Override
    public void abort() {
        if (!state.isClosed()) {
            close();
            downstream.abort();
        }
    }

    @Override
    void reset() {
        if (!state.isClosed()) {
            close();
            downstream.reset();
        }
    }

    @Override
    void finish(boolean requestDone) {
        downstream.flush();
        close();
        downstream.onExchangeEnd(requestDone);
    }

    private void close() {
        // The client's permit is released first, because a failure of a later call must not prevent the release.
        permit.end();
        // The value is read before state.close(), which aborts incomplete halves. A response whose head was sent counts
        // for the ban rule, even if the client has disconnected since then.
        boolean committed = state.response() != Half.HEAD;
        Attempts attempts = attempts();
        if (attempts != null) {
            attempts.close();
        }
        if (places != null) {
            places.close();
        }
        injected.close();
        leaveCopy();
        if (cached != null) {
            cached.close();
        }
        relay.drop();
        filtering().close();
        state.close();
        filtering().completed();
        if (rates != null) {
            rates.end(state.requestBytes() + state.responseBytes(), state.cost());
        }
        if (committed) {
            permit.responded(state.status());
        }
        giveHeads();
        endAwaitedBody();
        endLimit();
        closeTunnel(clientEnded);
        worker.observer.onClosed(this, state);
        state.timeline().close(worker.filters.times());
        state.generation().ended(worker.loop().index());
    }

    // ---- what observers read

    /** Returns the facts that observers may read. */
    public ExchangeRecord record() {
        return state;
    }
}
