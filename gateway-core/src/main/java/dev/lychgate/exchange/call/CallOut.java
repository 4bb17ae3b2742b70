package dev.lychgate.exchange.call;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.filtering.CallRequest;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.filter.CallException;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Holding;
import dev.lychgate.resilience.CallEnd;
import dev.lychgate.tracing.TraceContext;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call-out of a filter. A call-out ends with a complete response, a failure or a cancellation. {@link #end}
 * releases the memory of the request body, of the response body and of the response head. Used on the exchange's event
 * loop.
 */
final class CallOut extends Call {
    private final ExchangeState exchange;
    private final CallRequest request;
    private final CompletableFuture<CallResponse> answer;
    private final Executor completing;
    /** Whether the deadline of the exchange is earlier than the call-out's own timeout. */
    private boolean isCut;

    CallOut(
            ExchangeState exchange,
            LoopUpstreams upstreams,
            CallRequest request,
            CompletableFuture<CallResponse> answer,
            Executor completing) {
        super(
                accepted(exchange, upstreams, request.head()),
                upstreams,
                exchange.generation().targetOfCalls(request.upstream()),
                request.head().path(),
                Holding.Kind.BODY,
                request.body(),
                request.body().length,
                request.maxBody());
        this.exchange = exchange;
        this.request = request;
        this.answer = answer;
        this.completing = completing;
    }

    /**
     * Creates the state and accepts the request. Called before the attempts are created, because they read the request.
     */
    private static ExchangeState accepted(ExchangeState exchange, LoopUpstreams upstreams, RequestHead head) {
        ExchangeState state = new ExchangeState(
                upstreams.loop(), CallClient.of(exchange), exchange.generation(), exchange.requestId());
        exchange.downstream().forwarding().applyToCall(head.headers(), exchange.requestHead(), exchange.requestId());
        state.accept(head, exchange.requestId(), null);
        TraceContext trace = childOf(exchange.trace(), upstreams.loop());
        if (trace != null) {
            state.trace(trace);
        }
        return state;
    }

    void begin() {
        exchange.called(request.upstream().name(), state);
        long remaining = exchange.remaining(state.timeline().began());
        isCut = remaining < request.timeout();
        begin(Math.min(request.timeout(), remaining));
    }

    @Override
    boolean blamesEndpointForDelay() {
        return !isCut;
    }

    @Override
    void onTooLong() {
        fail(GatewayError.local(
                ErrorKind.MALFORMED_RESPONSE, "the response body is longer than " + request.maxBody() + " bytes"));
    }

    @Override
    void onComplete(ResponseHead head, byte[] whole, HttpHeaders trailers) {
        count(CallEnd.RESPONSE);
        report(head, whole, null);
        CallResponse response = new CallResponse(head.status(), head.headers(), whole, trailers);
        completing.execute(() -> answer.complete(response));
    }

    @Override
    void onFailure(GatewayError error) {
        count(CallEnd.FAILURE);
        report(null, new byte[0], error.kind().label());
        CallException failure = new CallException(request.upstream().name(), error);
        completing.execute(() -> answer.completeExceptionally(failure));
    }

    /** Cancels the call-out unless it has ended. */
    @Override
    public void cancel() {
        if (closeEarly()) {
            count(CallEnd.CANCELLED);
            completing.execute(() -> answer.cancel(false));
        }
    }

    /** Releases the memory of the call-out. If the call-out has not ended, this method cancels it first. */
    void end() {
        cancel();
        releaseMemory();
    }

    private void report(@Nullable ResponseHead head, byte[] content, @Nullable String failure) {
        ExchangeTap tap = exchange.tap();
        if (tap != ExchangeTap.NONE) {
            tap.onCall(new ExchangeTap.FinishedCall(
                    request.upstream().name(), request.head(), request.body(), head, content, failure));
        }
    }

    private void count(CallEnd how) {
        request.upstream().protection().tally().onLoop(loop().index()).called(how);
    }
}
