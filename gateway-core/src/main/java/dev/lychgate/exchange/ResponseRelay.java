package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.filtering.ResponseFraming;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.exchange.tunnel.Tunnel;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * The path of a response, in this order: {@linkplain #onHead receive} &rarr; outbound filters &rarr; {@linkplain #deliver commit}
 * &rarr; relay of the body, with the client's backpressure. Responses of origins and of the gateway take the same path. A response
 * that grants a tunnel ends in a {@link Tunnel}.
 */
final class ResponseRelay implements ResponseBodyListener, BodySink {
    private static final long READING = Long.MAX_VALUE;

    private final ExchangeParts exchange;
    private final ExchangeState state;
    private final Downstream downstream;
    /** The body of a response of our own that no filter holds, until it is sent. */
    private @Nullable ByteBuf localBody;
    /** The status that is recorded if the one that is sent is meaningless, as in gRPC; otherwise 0. */
    private int standsFor;
    /** The origin was asked for a head alone. */
    private boolean unseen;
    /** An outbound filter has responded or failed: its response passes no outbound filter. */
    private boolean outboundOver;
    /** Since when the origin is not read because the client is slow; in wheel time, or {@link #READING}. */
    private long stalledSince = READING;

    ResponseRelay(ExchangeParts exchange) {
        this.exchange = exchange;
        this.state = exchange.state;
        this.downstream = state.downstream();
    }

    // ---- receive

    void onInformational(ResponseHead interim) {
        // HTTP/1.0 has no interim responses (RFC 9110, 15.2).
        if (state.phase() == Phase.FORWARDING && !state.requireRequestHead().isHttp10()) {
            downstream.writeInformational(interim);
            downstream.flush();
            pauseOriginIfClientIsSlow();
        }
    }

    /** The head of the origin's response is accepted. */
    void onHead(ResponseHead head) {
        if (!exchange.keep(head)) {
            exchange.fail(GatewayError.local(
                    ErrorKind.OVERLOADED, "the memory for unfinished messages has no room for the response head"));
            return;
        }
        unseen = state.requireRequestHead().method().equals(HttpMethod.HEAD);
        ResponseFraming.ofOrigin(head, state.requireRequestHead());
        filter(head);
    }

    /** Responds without an origin. */
    void respond(ResponseHead local, ByteBuf body) {
        respond(local, body, 0);
    }

    /** Responds to a gRPC call, whose failures look like successes. @param recorded the status for observers */
    void respondToCall(ResponseHead local, int recorded) {
        respond(local, Unpooled.EMPTY_BUFFER, recorded);
    }

    private void respond(ResponseHead local, ByteBuf body, int recorded) {
        standsFor = recorded;
        unseen = false;
        ResponseFraming.frame(local, body.readableBytes(), ResponseFraming.isToHead(state.requestHead()));
        boolean filtered = !outboundOver && state.chains().outbound().length > 0;
        Filtering filtering = filtered ? exchange.activeFiltering() : exchange.filtering();
        if (!filtering.holdLocalResponse(body)) {
            localBody = body;
        }
        filter(local);
    }

    /** Discards a response that will not be sent. */
    void drop() {
        ByteBuf body = localBody;
        localBody = null;
        if (body != null) {
            body.release();
        }
        exchange.filtering().dropResponse();
    }

    // ---- outbound filters

    /** No outbound filter runs over this exchange any more. */
    void endOutbound() {
        outboundOver = true;
    }

    private void filter(ResponseHead head) {
        state.become(Phase.FILTERING_RESPONSE);
        state.responded(head);
        if (outboundOver || !exchange.runs(FilterStage.OUTBOUND, state.chains().outbound())) {
            deliver();
        }
    }

    // ---- commit

    /** Commits the response: nothing can change its head any more. */
    void deliver() {
        ResponseHead head = state.requireResponseHead();
        Filtering filtering = exchange.filtering();
        if (head.isTunnel()) {
            commit(head, head.status(), filtering);
            exchange.openTunnel();
            return;
        }
        GatewayError broken = filtering.frameResponse(head, ResponseFraming.isToHead(state.requestHead()), unseen);
        if (broken != null) {
            outboundOver = true;
            exchange.failLogged(broken);
            return;
        }
        commit(head, standsFor == 0 ? head.status() : standsFor, filtering);
        switch (filtering.deliver(head, this)) {
            case NOT_HELD -> relayUnheld(head, filtering);
            case READ_ON -> readOnAfterFilters();
            case DONE -> {}
        }
    }

    private void commit(ResponseHead head, int recorded, Filtering filtering) {
        state.commit(recorded, filtering.isActive());
        filtering.traceInto(head);
        downstream.writeHead(head);
    }

    private void relayUnheld(ResponseHead head, Filtering filtering) {
        ByteBuf local = localBody;
        if (local != null) {
            localBody = null;
            if (head.framing() == BodyFraming.NONE) {
                local.release();
            } else {
                sendBody(local);
            }
            sendEnd(EmptyHttpHeaders.INSTANCE);
            return;
        }
        spliceIfItPays(head);
        if (filtering.isActive()) {
            readOnAfterFilters();
        }
    }

    /** No filter sees the body. If it is long and its length is known, it need not be copied. */
    private void spliceIfItPays(ResponseHead head) {
        if (head.framing() == BodyFraming.LENGTH && head.contentLength() >= downstream.splicesFrom()) {
            OriginStream origin = sending();
            if (origin != null) {
                origin.splice();
            }
        }
    }

    // ---- relay

    @Override
    public void onResponseBody(ByteBuf chunk) {
        Tunnel open = exchange.tunnel();
        if (open != null) {
            open.fromOrigin(chunk);
            return;
        }
        Filtering filtering = exchange.filtering();
        if (filtering.takeResponseChunk(chunk)) {
            return;
        }
        if (state.requireResponseHead().framing() == BodyFraming.NONE) {
            // The client asked for the head alone, and a filter has asked the origin for more.
            chunk.release();
        } else if (filtering.relayResponse(chunk, this)) {
            pauseOriginIfClientIsSlow();
        }
    }

    /** Spliced chunks bypass body filters, so they are requested only if none is active. */
    @Override
    public void onResponseBody(SplicedPiece chunk) {
        state.addResponseBytes(chunk.count());
        downstream.writeBody(chunk);
        pauseOriginIfClientIsSlow();
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        Tunnel open = exchange.tunnel();
        if (open != null) {
            open.endOfOrigin();
            return;
        }
        Filtering filtering = exchange.filtering();
        if (!filtering.takeResponseEnd(trailers)) {
            filtering.endResponse(state.requireResponseHead(), trailers, this);
            pauseOriginIfClientIsSlow();
        }
    }

    @Override
    public void onOriginReadComplete() {
        if (state.phase() == Phase.RELAYING) {
            exchange.filtering().flushResponse(state.requireResponseHead(), this);
        }
        downstream.flush();
    }

    /** The client can take more: held parts are sent first. */
    void onClientWritable() {
        boolean relaying = state.phase() == Phase.RELAYING;
        if (relaying && !exchange.filtering().relayHeldResponse(state.requireResponseHead(), this)) {
            pauseOriginIfClientIsSlow();
        } else {
            readOn();
        }
    }

    private @Nullable OriginStream sending() {
        Attempts attempts = exchange.attempts();
        return attempts == null ? null : attempts.sending();
    }

    /** Reads more of the response: its filters need it, have run, or the client can take it. */
    void readOn() {
        stalledSince = READING;
        OriginStream origin = sending();
        if (origin != null) {
            origin.resumeReading();
        }
    }

    /** A filter is pending: reads no more of the response until {@link #readOn}. */
    void pauseOrigin() {
        OriginStream origin = sending();
        if (origin != null) {
            origin.pauseReading();
        }
    }

    /** A pending filter has paused the origin, whether or not any of the body had arrived. */
    void readOnAfterFilters() {
        readOn();
        pauseOriginIfClientIsSlow();
    }

    private void pauseOriginIfClientIsSlow() {
        OriginStream origin = sending();
        if (origin != null && !downstream.isWritable()) {
            origin.pauseReading();
            if (stalledSince == READING) {
                stalledSince = state.now();
            }
        }
    }

    /** Returns for how long the origin has not been read because the client is slow, in nanoseconds; 0 if it is read. */
    long stalled() {
        return stalledSince == READING ? 0 : state.now() - stalledSince;
    }

    // ---- to the client

    @Override
    public void sendBody(ByteBuf chunk) {
        if (!chunk.isReadable()) {
            chunk.release();
            return;
        }
        state.addResponseBytes(chunk.readableBytes());
        downstream.writeBody(chunk);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        state.response(Half.DONE);
        downstream.writeEnd(trailers);
        exchange.finish(state.request() == Half.DONE);
    }

    @Override
    public boolean isWritable() {
        return downstream.isWritable();
    }
}
