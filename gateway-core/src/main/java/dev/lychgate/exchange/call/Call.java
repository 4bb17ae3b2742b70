package dev.lychgate.exchange.call;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.exchange.attempt.Attempt;
import dev.lychgate.exchange.attempt.AttemptOwner;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.tracing.Tracing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A request that the gateway itself sends: an exchange with a complete request and without a client or filters. A call
 * ends with a response, with a failure, or when its owner closes it. The bytes of a call count against the memory
 * budget until {@link #releaseMemory}. Used on one event loop.
 */
abstract class Call extends Deadline implements AttemptOwner, ResponseBodyListener, Filtering, Holding.Owner {
    /** The estimated memory of a header field, in bytes, in addition to the bytes of its name and value. */
    static final int FIELD = 64;
    /** The maximum number of bytes that are allocated for a body of known length before it arrives. */
    private static final int FIRST_SIZED = 65_536;

    final ExchangeState state;
    final Attempts attempts;
    private final LoopUpstreams upstreams;
    private final Holding memory;
    private final Holding.Kind kind;
    private final byte[] requestBody;
    private final int requestBytes;
    private final GrowingBytes body;
    private int headBytes;

    /**
     * Creates a call, which begins with {@link #begin}.
     *
     * @param state the state of the call, which already contains the accepted request head
     * @param path the path and the query that the origin receives
     * @param kind determines the order in which the memory budget reclaims bytes
     * @param requestBytes the number of request bytes that count against the memory budget
     * @param maxBody the maximum length of the response body, in bytes
     */
    Call(
            ExchangeState state,
            LoopUpstreams upstreams,
            ProxyTarget target,
            String path,
            Holding.Kind kind,
            byte[] requestBody,
            int requestBytes,
            int maxBody) {
        this.state = state;
        this.upstreams = upstreams;
        this.kind = kind;
        this.requestBody = requestBody;
        this.requestBytes = requestBytes;
        this.body = new GrowingBytes(this::hold, maxBody);
        this.memory = upstreams.loop().memory().holding(this);
        this.attempts = new Attempts(state, upstreams, this, target, path, null);
    }

    final Loop loop() {
        return upstreams.loop();
    }

    /**
     * Returns a new span for a call. The new span is a child of the span {@code of}, and the parent of the spans of the
     * attempts. Returns null if {@code of} is null.
     */
    static @Nullable TraceContext childOf(@Nullable TraceContext of, Loop loop) {
        return of == null
                ? null
                : new TraceContext(of.high(), of.low(), of.span(), Tracing.id(loop.random()), of.sampled(), of.state());
    }

    final boolean isOpen() {
        return !state.isClosed();
    }

    // ---- hooks for subclasses

    /** Called after a call with a complete response is closed. */
    abstract void onComplete(ResponseHead head, byte[] whole, HttpHeaders trailers);

    /** Called after a call without a complete response is closed. */
    abstract void onFailure(GatewayError error);

    /** Ends the call, because the response body is longer than permitted. */
    abstract void onTooLong();

    /** Returns the number of bytes to allocate for the response body before it arrives. */
    int firstBytes(ResponseHead head) {
        return head.framing() == BodyFraming.LENGTH ? (int) Math.min(head.contentLength(), FIRST_SIZED) : 0;
    }

    /** Returns whether a deadline that expires after the request was sent counts as a failure of the endpoint. */
    boolean blamesEndpointForDelay() {
        return true;
    }

    /** Returns the trailers of the request. */
    HttpHeaders requestTrailers() {
        return EmptyHttpHeaders.INSTANCE;
    }

    // ---- the request

    /**
     * Sends the request.
     *
     * @param timeout the timeout of the whole call, in nanoseconds
     */
    final void begin(long timeout) {
        state.request(Half.DONE);
        state.timeline().requestIsWhole();
        if (!hold(0)) {
            onReclaim();
            return;
        }
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
    public final void onTurn() {
        if (attempts.lease()) {
            onConnection();
        }
    }

    @Override
    public final void onConnection() {
        attempts.send();
    }

    @Override
    public final Filtering filtering() {
        return this;
    }

    @Override
    public final boolean holdsWholeRequest() {
        return true;
    }

    @Override
    public final boolean sendWholeRequest(BodySink to) {
        if (requestBody.length > 0) {
            to.sendBody(Unpooled.wrappedBuffer(requestBody));
        }
        to.sendEnd(requestTrailers());
        return true;
    }

    // ---- the response

    @Override
    public final ResponseBodyListener responseBody() {
        return this;
    }

    @Override
    public final void onInformational(ResponseHead interim) {}

    @Override
    public final boolean onFailureStatus(ResponseHead head) {
        return false;
    }

    @Override
    public final void onAccepted(ResponseHead head) {
        // Calls have no observers.
    }

    @Override
    public final void onResponse(Attempt attempt, ResponseHead head) {
        state.timeline().firstByte(attempt.answeredAt());
        state.become(Phase.FILTERING_RESPONSE);
        state.responded(head);
        headBytes = head.size() + FIELD * head.headers().size();
        boolean sized = head.framing() == BodyFraming.LENGTH;
        if (sized && !body.fits(head.contentLength())) {
            onTooLong();
        } else if (body.reserve(firstBytes(head))) {
            state.commit(head.status(), false);
        } else {
            onReclaim();
        }
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        try {
            int more = chunk.readableBytes();
            if (!body.fits((long) body.length() + more)) {
                onTooLong();
            } else if (body.add(chunk)) {
                state.addResponseBytes(more);
            } else {
                onReclaim();
            }
        } finally {
            chunk.release();
        }
    }

    /** Discards the received part of the response body. */
    final void dropBody() {
        body.clear();
        hold(0);
    }

    private boolean hold(int size) {
        long bytes = (long) requestBytes + headBytes + size;
        return bytes <= Integer.MAX_VALUE && memory.hold((int) bytes, kind);
    }

    @Override
    public final void onResponseEnd(HttpHeaders trailers) {
        state.response(Half.DONE);
        ResponseHead head = state.requireResponseHead();
        byte[] whole = body.toArray();
        endCall();
        onComplete(head, whole, trailers);
    }

    @Override
    public final void onOriginReadComplete() {}

    // ---- endings

    @Override
    public final void onExhausted(GatewayError error, int retryAfter) {
        fail(error);
    }

    @Override
    protected final void onDeadline() {
        boolean origins = attempts.sending() != null && blamesEndpointForDelay();
        GatewayError late =
                GatewayError.upstream(ErrorKind.RESPONSE_TIMEOUT, Retry.NEVER, "no complete response arrived in time");
        // The timeout does not count as a failure of the endpoint if the call has no connection yet, or if the deadline
        // of the exchange ended the call early.
        fail(late, origins ? late : null);
    }

    /**
     * Fails the call, because the memory budget is exhausted or because other exchanges need the memory of this call.
     */
    @Override
    public final void onReclaim() {
        fail(GatewayError.local(ErrorKind.OVERLOADED, "no memory is left for the bodies of the call-out"));
    }

    @Override
    public final void fail(GatewayError error) {
        fail(error, error);
    }

    /**
     * Fails the call.
     *
     * @param ofAttempt the failure to record for the attempt; null if the endpoint is not at fault
     */
    private void fail(GatewayError error, @Nullable GatewayError ofAttempt) {
        if (state.isClosed()) {
            return;
        }
        state.failed(error);
        attempts.end(ofAttempt);
        endCall();
        onFailure(error);
    }

    @Override
    public final void failLogged(GatewayError error) {
        fail(error);
    }

    /**
     * Closes the call unless it has ended.
     *
     * @return whether the call was open
     */
    final boolean closeEarly() {
        boolean open = isOpen();
        if (open) {
            endCall();
        }
        return open;
    }

    /** Releases all bytes of the call in the memory budget. */
    final void releaseMemory() {
        memory.release();
    }

    private void endCall() {
        attempts.close();
        state.close();
        loop().deadlines().remove(this);
        memory.complete();
    }

    @Override
    public final boolean onConnectionWanted(long patience) {
        return false;
    }

    @Override
    public final boolean onTunnelFailed() {
        return false;
    }

    @Override
    public final void onResumed() {}
}
