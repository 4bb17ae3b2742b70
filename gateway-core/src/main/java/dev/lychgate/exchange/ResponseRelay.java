package dev.lychgate.exchange;

import dev.lychgate.cache.BodyReader;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
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
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * Implements the path of a response. A response is {@linkplain #onHead received}, passes the outbound filters, and is
 * {@linkplain #deliver committed}; then the body is relayed with backpressure from the client. The path applies to
 * responses of origins and to responses of the gateway. After a response that opens a tunnel, a {@link Tunnel} relays
 * the bytes.
 */
final class ResponseRelay implements ResponseBodyListener, BodySink {
    private final ExchangeParts exchange;
    private final ExchangeState state;
    private final Downstream downstream;
    final OriginFlow origin;
    private LocalBody localBody = LocalBody.NONE;
    /**
     * The status for observers if the sent status does not express the result, for example for a gRPC error; 0 if
     * observers get the sent status.
     */
    private int standsFor;
    /** Whether the origin received a HEAD request and therefore sends no body. */
    private boolean unseen;
    /**
     * Whether no further outbound filter runs for this exchange, for example because an outbound filter has produced
     * the response or a failure itself.
     */
    private boolean outboundOver;
    /** The speed limit of the body; null for almost all exchanges. */
    @Nullable
    BodyPace pace;

    ResponseRelay(ExchangeParts exchange) {
        this.exchange = exchange;
        this.state = exchange.state;
        this.downstream = state.downstream();
        this.origin = new OriginFlow(exchange);
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

    /** Handles the accepted response head of an origin. */
    void onHead(ResponseHead head) {
        if (!exchange.keep(head)) {
            exchange.fail(
                    GatewayError.local(ErrorKind.OVERLOADED, "the memory budget has no room for the response head"));
            return;
        }
        unseen = state.requireRequestHead().method().equals(HttpMethod.HEAD);
        ResponseFraming.ofOrigin(head, state.requireRequestHead());
        filter(head);
    }

    void respond(ResponseHead local, ByteBuf body) {
        respond(local, body, 0);
    }

    /**
     * Sends a response of the gateway.
     *
     * @param body the whole body, which this object owns
     * @param recorded the status for observers if the sent status does not express the result, for example for a gRPC
     *     error; 0 if observers get the sent status
     */
    void respond(ResponseHead local, ByteBuf body, int recorded) {
        standsFor = recorded;
        unseen = false;
        ResponseFraming.frame(local, body.readableBytes(), ResponseFraming.isToHead(state.requestHead()));
        boolean filtered = !outboundOver && state.chains().outbound().length > 0;
        Filtering filtering = filtered ? exchange.activeFiltering() : exchange.filtering();
        if (!filtering.holdLocalResponse(body)) {
            localBody = LocalBody.whole(body);
        }
        filter(local);
    }

    /**
     * Sends a stored response.
     *
     * @param stored the head, without framing
     * @param body the body, which this object owns
     */
    void respond(ResponseHead stored, BodyReader body) {
        standsFor = 0;
        unseen = false;
        localBody.drop();
        ResponseFraming.frame(stored, body.remaining(), ResponseFraming.isToHead(state.requestHead()));
        if (!outboundOver && state.chains().outbound().length > 0) {
            exchange.activeFiltering().holdLocalResponse(body.all());
        } else {
            localBody = LocalBody.stored(body);
            exchange.filtering().dropResponse();
        }
        filter(stored);
    }

    /** Discards a response that will not be sent. */
    void drop() {
        localBody.drop();
        if (pace != null) {
            pace.close();
        }
        exchange.filtering().dropResponse();
    }

    // ---- outbound filters

    /** Stops running outbound filters for the rest of the exchange. */
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

    /** Commits the response. After this call, the head of the response cannot change. */
    void deliver() {
        ResponseHead head = state.requireResponseHead();
        Filtering filtering = exchange.filtering();
        if (head.isTunnel()) {
            commit(head, head.status(), filtering);
            exchange.openTunnel();
            return;
        }
        boolean ends = !localBody.isWhole() && ResponseFraming.dropsContent(head);
        GatewayError broken = filtering.frameResponse(head, ResponseFraming.isToHead(state.requestHead()), unseen);
        if (broken != null) {
            outboundOver = true;
            exchange.failLogged(broken);
            return;
        }
        commit(head, standsFor == 0 ? head.status() : standsFor, filtering);
        switch (filtering.deliver(head, this)) {
            case NOT_HELD -> {
                if (ends) {
                    sendEnd(EmptyHttpHeaders.INSTANCE);
                } else {
                    relayUnheld(head, filtering);
                }
            }
            case READ_ON -> readOnAfterFilters();
            case DONE -> {}
        }
    }

    private void commit(ResponseHead head, int recorded, Filtering filtering) {
        state.commit(recorded, filtering.isActive());
        filtering.completeResponse(head);
        if (exchange.rates != null) {
            exchange.rates.announce(head.headers());
        }
        downstream.writeHead(head);
    }

    private void relayUnheld(ResponseHead head, Filtering filtering) {
        if (localBody.isHeld()) {
            if (head.framing() == BodyFraming.NONE) {
                localBody.drop();
            }
            sendLocal();
            return;
        }
        spliceIfItPays(head);
        if (filtering.isActive()) {
            readOnAfterFilters();
        }
    }

    /**
     * Sends the local body and then the end of the response. If the client is slow, {@link #onClientWritable} continues
     * later.
     */
    private void sendLocal() {
        if (localBody.send(this, pace == null)) {
            sendEnd(EmptyHttpHeaders.INSTANCE);
        } else {
            // Without this flush, the written bytes would never be sent, and the client's channel would never become
            // writable.
            downstream.flush();
        }
    }

    /**
     * Requests splicing of the body if its length is known and sufficient, and if no filter or observer reads the body.
     */
    private void spliceIfItPays(ResponseHead head) {
        if (pace == null
                && head.framing() == BodyFraming.LENGTH
                && head.contentLength() >= exchange.splicesFrom(downstream)) {
            OriginStream stream = origin.stream();
            if (stream != null) {
                stream.splice();
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
            // The client sent a HEAD request, but a filter has changed the method for the origin, so the body is
            // discarded.
            chunk.release();
        } else if (filtering.relayResponse(chunk, this)) {
            pauseOriginIfClientIsSlow();
        }
    }

    /**
     * Relays a spliced chunk. Spliced chunks bypass body filters, so splicing is requested only if no body filter is
     * active.
     */
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

    /** Sends held chunks, because the client is writable again. Then resumes reading from the origin. */
    void onClientWritable() {
        if (pace != null && pace.isHolding()) {
            origin.endStall();
            pace.proceed();
            return;
        }
        boolean relaying = state.phase() == Phase.RELAYING;
        if (relaying && localBody.isStored()) {
            sendLocal();
            return;
        }
        if (relaying && !exchange.filtering().relayHeldResponse(state.requireResponseHead(), this)) {
            pauseOriginIfClientIsSlow();
        } else {
            origin.resume();
        }
    }

    /**
     * Continues the response, because a filter accepts more of the body again. If the client is slow, {@link
     * #onClientWritable} continues the response later.
     */
    void onBodyDemand() {
        if (downstream.isWritable()) {
            onClientWritable();
        }
    }

    /**
     * Resumes reading from the origin after the filters have completed. A pending filter pauses reading even if no body
     * chunk has arrived.
     */
    void readOnAfterFilters() {
        origin.resume();
        pauseOriginIfClientIsSlow();
    }

    private void pauseOriginIfClientIsSlow() {
        if (!downstream.isWritable()) {
            origin.stall();
        } else if (!isWritable() || !exchange.filtering().acceptsResponse()) {
            origin.pause();
        }
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        if (!chunk.isReadable()) {
            chunk.release();
        } else if (pace != null) {
            pace.send(chunk);
        } else {
            state.sending(chunk);
            downstream.writeBody(chunk);
        }
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        if (pace != null && pace.isHolding()) {
            pace.sendEnd(trailers);
            return;
        }
        state.response(Half.DONE);
        downstream.writeEnd(trailers);
        exchange.finish(state.request() == Half.DONE);
    }

    @Override
    public boolean isWritable() {
        return downstream.isWritable() && (pace == null || !pace.isHolding());
    }
}
