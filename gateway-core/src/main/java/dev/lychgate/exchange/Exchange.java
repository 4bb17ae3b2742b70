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
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its response, from the first head to the last byte. An explicit state machine: a
 * {@link dev.lychgate.exchange.state.Phase} for the exchange and a {@link dev.lychgate.exchange.state.Half} for each direction. This
 * class receives the events of the client, the attempts and the deadline on the exchange's event loop; {@link RequestSteps} is
 * the path of the request, {@link ResponseRelay} that of the response.
 *
 * <p>The exchange ends in exactly one way. In each case its attempt has ended, its observer is notified once, and late events are
 * discarded:
 *
 * <ul>
 *   <li>Complete ({@link ResponseRelay#sendEnd}): the origin's connection returns to the pool, the client's stays open.
 *   <li>Failed before the response is committed ({@link #fail}): the client gets an error response. Its connection stays open unless
 *       the rest of its request is unknown or not awaited, as after a 408.
 *   <li>Failed after that ({@link #abort}): the client's connection, or its HTTP/2 stream, is cut.
 *   <li>Left by the client ({@link #onDownstreamClosed}; {@link #onDownstreamReset} for a reset HTTP/2 stream): nothing is sent.
 * </ul>
 *
 * <p>An origin's connection with an incomplete response is closed; in HTTP/2, only the stream is reset.
 */
public final class Exchange extends ExchangeParts {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final Worker worker;
    private final Downstream downstream;
    private boolean clientEnded;
    /** Null while the memory of heads is not wanted by others, or the request is complete. */
    private @Nullable AwaitedBody awaitedBody;

    public Exchange(Worker worker, Downstream downstream) {
        this(worker, downstream, worker.nextRequestId());
    }

    /** Creates an exchange with a given id, as in a recording. */
    public Exchange(Worker worker, Downstream downstream, String requestId) {
        super(
                new ExchangeState(worker.loop(), downstream, worker.generation(), requestId),
                worker.loop(),
                worker.faults);
        this.worker = worker;
        this.downstream = downstream;
        state.generation().began(worker.loop().index());
    }

    /** Sets time and random numbers, as in a recording. To be called before the request begins. */
    public void determine(ExchangeInputs given) {
        state.determine(given);
    }

    // ---- events of the client

    /** A request begins. */
    public void begin(RequestHead received) {
        accept(received);
        begin();
    }

    /** The head of a request has arrived, which may still become malformed: nothing is forwarded before {@link #begin()}. */
    public void accept(RequestHead received) {
        worker.steps.accept(received, this);
        ExchangeTap.Source taps = worker.taps;
        if (taps != null) {
            state.tap(taps.tap(state, state));
        }
    }

    /** The accepted request begins. */
    public void begin() {
        worker.steps.from(RequestStep.ADMIT, this);
    }

    /**
     * A request begins that is not to be served.
     *
     * @param received its head, as far as there is one
     * @param error why
     */
    public void refuse(@Nullable RequestHead received, GatewayError error) {
        if (received == null) {
            state.abortRequest();
        } else {
            accept(received);
        }
        fail(error);
    }

    /** A chunk of the request body; the exchange owns it. */
    public void onRequestBody(ByteBuf chunk) {
        state.addRequestBytes(chunk.readableBytes());
        state.tap().onRequestBody(chunk);
        Tunnel tunnel = tunnel();
        Attempts attempts = attempts();
        if (tunnel != null) {
            tunnel.fromClient(chunk);
        } else if (state.request() == Half.BODY && filtering().takeRequestChunk(chunk)) {
            // A filter awaits it.
        } else if (state.request() == Half.BODY && attempts != null) {
            attempts.onRequestBody(chunk);
        } else {
            chunk.release();
        }
    }

    /** The request is complete. */
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

    /** One read from the client is complete. */
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

    /** Whether the origin has not responded because the client has sent nothing of the body for {@code nanos}. */
    boolean isBodyOwed(long nanos) {
        return state.response() == Half.HEAD && state.request() == Half.BODY && downstream.bodySilence() >= nanos;
    }

    /** The client can take more of the response again. */
    public void onDownstreamWritable() {
        relay.onClientWritable();
    }

    /** The request can't be completed: it is malformed, too long or too slow. */
    public void onRequestBroken(GatewayError error) {
        state.abortRequest();
        fail(error);
    }

    /** The exchange has to end now: with an error response, or with an abort if its response is committed. */
    public void cut(GatewayError error) {
        fail(error);
    }

    /** The client has disconnected; nothing can be sent to it. */
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

    /** Like {@link #onDownstreamClosed}, by a reset: the origin's side of a tunnel without close frames is reset, too. */
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
        try {
            worker.observer.onTunnel(this);
        } catch (RuntimeException e) {
            logFault(e);
        }
    }

    // ---- endings

    @Override
    void abort() {
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
        Attempts attempts = attempts();
        if (attempts != null) {
            attempts.close();
        }
        if (places != null) {
            places.close();
        }
        injected.close();
        leaveCopy();
        relay.drop();
        filtering().close();
        state.close();
        filtering().completed();
        if (rates != null) {
            rates.cancel();
            rates.charge(state.requestBytes() + state.responseBytes(), state.cost());
        }
        giveHeads();
        endAwaitedBody();
        endLimit();
        closeTunnel(clientEnded);
        try {
            worker.observer.onClosed(this);
        } catch (RuntimeException e) {
            // An observer must not keep the connection from its next request.
            logFault(e);
        }
        state.timeline().close(worker.filters.times());
        state.generation().ended(worker.loop().index());
    }

    private void logFault(RuntimeException e) {
        state.mark().on(LOG.atError()).setCause(e).log("{}exchange observer threw an exception", state.mark());
    }

    // ---- what observers read

    /** Returns the recorded facts. */
    public ExchangeRecord record() {
        return state;
    }
}
