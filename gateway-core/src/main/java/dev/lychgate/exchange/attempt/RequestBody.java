package dev.lychgate.exchange.attempt;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.filtering.BodySink;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.resilience.BodyReplay;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The request's way to an attempt: its head, then its body through the filters, with the origin's backpressure. Keeps what a
 * further attempt may need. Lives on the exchange's event loop.
 */
final class RequestBody implements BodySink {
    private final ExchangeState state;
    private final AttemptOwner owner;
    private @Nullable BodyReplay replay;
    /** Where the body goes while a chunk is relayed. */
    private @Nullable Attempt to;

    private boolean begun;

    RequestBody(ExchangeState state, AttemptOwner owner) {
        this.state = state;
        this.owner = owner;
    }

    private Filtering filtering() {
        return owner.filtering();
    }

    /** Keeps chunks for a further attempt from here on. */
    void keepIn(BodyReplay kept) {
        replay = kept;
    }

    /** Returns whether all of it that has been sent can be sent again. */
    boolean isWhole() {
        BodyReplay kept = replay;
        return !begun || (kept != null && kept.isWhole()) || filtering().holdsWholeRequest();
    }

    /** Returns whether the whole request has arrived and has been sent. */
    boolean isSent() {
        return state.request() == Half.DONE && !filtering().hasUnsentRequest();
    }

    /** Makes the head announce the body that filters leave. @return false if the exchange has failed by that */
    boolean frame() {
        GatewayError broken = filtering().frameRequest(state.requireRequestHead());
        if (broken != null) {
            owner.failLogged(broken);
        }
        return broken == null;
    }

    /** Sends all of the body that is there, behind the head that {@code attempt} has sent. */
    void sendTo(Attempt attempt) {
        if (filtering().sendWholeRequest(attempt)) {
            attempt.flush();
            return;
        }
        BodyReplay kept = replay;
        ByteBuf before = begun && kept != null ? kept.again() : null;
        if (before != null) {
            attempt.sendBody(before);
        }
        if (filtering().hasUnsentRequest()) {
            resume(attempt);
        } else if (state.request() == Half.DONE) {
            attempt.sendEnd(state.requestTrailers());
            attempt.flush();
        }
    }

    /** Relays a chunk, which it owns. @param attempt null if none has a connection */
    void onChunk(ByteBuf chunk, @Nullable Attempt attempt) {
        if (attempt == null || filtering().isRequestSent()) {
            // The response came early, or the exchange is given up: the rest is discarded.
            chunk.release();
            return;
        }
        to = attempt;
        boolean relayed = filtering().relayRequest(chunk, this);
        if (relayed && !attempt.isWritable()) {
            state.downstream().pauseReading();
        }
    }

    /** The request is complete. @return whether its end has been sent */
    boolean onEnd(Attempt attempt) {
        to = attempt;
        return !filtering().isRequestSent() && filtering().endRequest(state.requestTrailers(), this);
    }

    /** The origin can take more: held parts are sent first. @return whether the client may send more */
    boolean resume(Attempt attempt) {
        if (!filtering().hasUnsentRequest()) {
            return true;
        }
        to = attempt;
        if (!filtering().relayHeldRequest(this)) {
            return false;
        }
        if (state.request() == Half.DONE) {
            onEnd(attempt);
        }
        return true;
    }

    /** No further attempt will need it. */
    void dropReplay() {
        BodyReplay kept = replay;
        if (kept != null) {
            kept.close();
        }
    }

    // ---- behind the filters

    private Attempt attempt() {
        Attempt attempt = to;
        if (attempt == null) {
            throw state.unexpected("a chunk for no attempt");
        }
        return attempt;
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        begun = true;
        BodyReplay kept = replay;
        if (kept != null) {
            kept.keep(chunk);
        }
        attempt().sendBody(chunk);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        attempt().sendEnd(trailers);
    }

    @Override
    public boolean isWritable() {
        return attempt().isWritable();
    }
}
