package dev.lychgate.exchange.call;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.exchange.attempt.Attempt;
import dev.lychgate.exchange.attempt.AttemptOwner;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.filtering.CallRequest;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.filter.CallException;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.resilience.CallEnd;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.tracing.Tracing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One call-out of a filter. It ends with a complete response, with a failure, or cancelled. {@link #end} releases its memory:
 * both bodies and the response head. On the exchange's event loop.
 */
final class CallOut extends Deadline implements AttemptOwner, ResponseBodyListener, Filtering, Holding.Owner {
    /** The memory of a header in bytes, in addition to its text. */
    private static final int FIELD = 64;

    private static final int FIRST_BUFFER = 512;
    /** The most bytes allocated for an announced body before any of it arrives. */
    private static final int FIRST_SIZED = 65_536;

    private final ExchangeState exchange;
    private final LoopUpstreams upstreams;
    private final CallRequest request;
    private final CompletableFuture<CallResponse> answer;
    private final Executor completing;
    private final ExchangeState state;
    private final Attempts attempts;
    private final Holding memory;
    private byte[] body = {};
    private int length;
    private int headBytes;
    /** Whether the exchange ends before the call-out's own timeout. */
    private boolean isCut;

    CallOut(
            ExchangeState exchange,
            LoopUpstreams upstreams,
            CallRequest request,
            CompletableFuture<CallResponse> answer,
            Executor completing) {
        this.exchange = exchange;
        this.upstreams = upstreams;
        this.request = request;
        this.answer = answer;
        this.completing = completing;
        this.memory = loop().memory().holding(this);
        this.state = new ExchangeState(loop(), new CallClient(exchange), exchange.generation(), exchange.requestId());
        RequestHead head = request.head();
        exchange.downstream().forwarding().applyToCall(head.headers(), exchange.requestHead(), exchange.requestId());
        // Before the attempts, which read the head.
        state.accept(head, exchange.requestId(), null);
        TraceContext trace = trace();
        if (trace != null) {
            state.trace(trace);
        }
        this.attempts = new Attempts(state, upstreams, this, ProxyTarget.ofCall(request.upstream()), head.path(), null);
    }

    private Loop loop() {
        return upstreams.loop();
    }

    /** Returns the span of the call-out: a child of the exchange's span, and the parent of the spans of attempts. */
    private @Nullable TraceContext trace() {
        TraceContext of = exchange.trace();
        return of == null
                ? null
                : new TraceContext(
                        of.high(), of.low(), of.span(), Tracing.id(loop().random()), of.sampled(), of.state());
    }

    boolean isOpen() {
        return !state.isClosed();
    }

    // ---- the request

    void begin() {
        exchange.called(request.upstream().name(), state);
        state.request(Half.DONE);
        state.timeline().requestIsWhole();
        if (!hold(0)) {
            return;
        }
        long remaining = exchange.remaining(state.timeline().began());
        isCut = remaining < request.timeout();
        long timeout = Math.min(request.timeout(), remaining);
        state.endsWithin(timeout);
        loop().deadlines().arm(this, timeout);
        attempts.prepareRetries();
        onAttemptDue();
    }

    @Override
    public void onAttemptDue() {
        if (attempts.choose() && attempts.enterEndpoint() && attempts.takeTurn()) {
            onTurn();
        }
    }

    @Override
    public void onTurn() {
        if (attempts.lease()) {
            onConnection();
        }
    }

    @Override
    public void onConnection() {
        attempts.send();
    }

    @Override
    public Filtering filtering() {
        return this;
    }

    @Override
    public boolean holdsWholeRequest() {
        return true;
    }

    @Override
    public boolean sendWholeRequest(BodySink to) {
        if (request.body().length > 0) {
            to.sendBody(Unpooled.wrappedBuffer(request.body()));
        }
        to.sendEnd(EmptyHttpHeaders.INSTANCE);
        return true;
    }

    // ---- the response

    @Override
    public ResponseBodyListener responseBody() {
        return this;
    }

    @Override
    public void onInformational(ResponseHead interim) {}

    @Override
    public boolean onFailureStatus(ResponseHead head) {
        return false;
    }

    @Override
    public void onResponse(Attempt attempt, ResponseHead head) {
        state.timeline().firstByte(attempt.answeredAt());
        state.become(Phase.FILTERING_RESPONSE);
        state.responded(head);
        headBytes = head.size() + FIELD * head.headers().size();
        boolean sized = head.framing() == BodyFraming.LENGTH;
        if (sized && head.contentLength() > request.maxBody()) {
            failTooLong();
        } else if (reserve(sized ? (int) Math.min(head.contentLength(), FIRST_SIZED) : 0)) {
            state.commit(head.status(), false);
        }
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        try {
            int more = chunk.readableBytes();
            if (more > request.maxBody() - length) {
                failTooLong();
            } else if (length + more <= body.length || reserve(grown(length + more))) {
                chunk.readBytes(body, length, more);
                length += more;
                state.addResponseBytes(more);
            }
        } finally {
            chunk.release();
        }
    }

    private int grown(int needed) {
        return (int) Math.min(request.maxBody(), Math.max(needed, Math.max(FIRST_BUFFER, 2L * body.length)));
    }

    /** Extends the buffer of the body to {@code bytes}. @return false if the call-out failed because memory is scarce */
    private boolean reserve(int bytes) {
        int size = Math.max(bytes, body.length);
        boolean held = hold(size);
        if (held && size > body.length) {
            body = Arrays.copyOf(body, size);
        }
        return held;
    }

    private boolean hold(int size) {
        long bytes = (long) request.body().length + headBytes + size;
        boolean held = bytes <= Integer.MAX_VALUE && memory.hold((int) bytes, Holding.Kind.BODY);
        if (!held) {
            onReclaim();
        }
        return held;
    }

    private void failTooLong() {
        fail(GatewayError.local(
                ErrorKind.MALFORMED_RESPONSE, "the response body is longer than " + request.maxBody() + " bytes"));
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        state.response(Half.DONE);
        ResponseHead head = state.requireResponseHead();
        byte[] whole = length == body.length ? body : Arrays.copyOf(body, length);
        close(CallEnd.RESPONSE);
        report(head, whole, null);
        CallResponse response = new CallResponse(head.status(), head.headers(), whole);
        completing.execute(() -> answer.complete(response));
    }

    @Override
    public void onOriginReadComplete() {}

    // ---- endings

    @Override
    public void onExhausted(GatewayError error, int retryAfter) {
        fail(error);
    }

    @Override
    protected void onDeadline() {
        boolean origins = attempts.sending() != null && !isCut;
        GatewayError late =
                GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, Retry.NEVER, "no complete response in time");
        // The endpoint is not at fault if the call-out waited for a connection, or if the deadline of the exchange was
        // earlier.
        fail(late, origins ? late : null);
    }

    /** Called when the memory budget is exhausted, or other exchanges need this memory. */
    @Override
    public void onReclaim() {
        fail(GatewayError.local(ErrorKind.OVERLOADED, "no memory is left for the bodies of the call-out"));
    }

    @Override
    public void fail(GatewayError error) {
        fail(error, error);
    }

    /** @param ofAttempt the failure of the attempt; null if the attempt is not at fault */
    private void fail(GatewayError error, @Nullable GatewayError ofAttempt) {
        if (state.isClosed()) {
            return;
        }
        state.failed(error);
        attempts.end(ofAttempt);
        close(CallEnd.FAILURE);
        report(null, new byte[0], error.kind().label());
        CallException failure = new CallException(request.upstream().name(), error);
        completing.execute(() -> answer.completeExceptionally(failure));
    }

    @Override
    public void failLogged(GatewayError error) {
        fail(error);
    }

    /** Cancels the call-out unless it has ended. */
    @Override
    public void cancel() {
        if (!state.isClosed()) {
            close(CallEnd.CANCELLED);
            completing.execute(() -> answer.cancel(false));
        }
    }

    /** Cancels the call-out unless it has ended, and releases its memory. */
    void end() {
        cancel();
        memory.release();
    }

    private void report(@Nullable ResponseHead head, byte[] content, @Nullable String failure) {
        ExchangeTap tap = exchange.tap();
        if (tap != ExchangeTap.NONE) {
            tap.onCall(new ExchangeTap.FinishedCall(
                    request.upstream().name(), request.head(), request.body(), head, content, failure));
        }
    }

    private void close(CallEnd how) {
        attempts.close();
        state.close();
        loop().deadlines().remove(this);
        memory.complete();
        request.upstream().protection().tally().onLoop(loop().index()).called(how);
    }

    @Override
    public boolean onConnectionWanted(long patience) {
        return false;
    }

    @Override
    public boolean onTunnelFailed() {
        return false;
    }

    @Override
    public void onResumed() {}
}
