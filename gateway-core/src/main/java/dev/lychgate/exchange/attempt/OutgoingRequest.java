package dev.lychgate.exchange.attempt;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.filtering.Filtering;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.HeldMemory;
import dev.lychgate.origin.OriginStream;
import dev.lychgate.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request on an attempt: first the head, and then the body that filters have processed. The body is sent with
 * backpressure from the origin. This class also keeps body bytes for later attempts. Used on the exchange's event loop.
 */
final class OutgoingRequest implements BodySink {
    private final ExchangeState state;
    private final AttemptOwner owner;
    private final String path;
    private final @Nullable DeadlineField deadline;
    private @Nullable BodyReplay replay;
    /** Observes the sent request; null unless the request is mirrored. */
    private @Nullable RequestTap tap;
    /** The stream to which the body is sent; null before the first attempt and between two attempts. */
    private @Nullable OriginStream to;
    /** Whether body bytes have been sent. */
    private boolean begun;
    /** Whether an attempt has replaced {@code Host} in the head, which all attempts share. */
    private boolean hostReplaced;
    /** Whether reading of the body is paused until an attempt has sent the head. */
    private boolean paused;

    /**
     * Creates a request that no attempt has sent.
     *
     * @param path the path and the query that the origin receives
     * @param deadline sets the header that informs the origin of the remaining time; null if the route does not send
     *     this header
     */
    OutgoingRequest(ExchangeState state, AttemptOwner owner, String path, @Nullable DeadlineField deadline) {
        this.state = state;
        this.owner = owner;
        this.path = path;
        this.deadline = deadline;
    }

    private Filtering filtering() {
        return owner.filtering();
    }

    /** From now on, keeps up to {@code bytes} bytes of the sent body, so that later attempts can send them again. */
    void keep(HeldMemory memory, long bytes) {
        replay = new BodyReplay(state.downstream().allocator(), memory, bytes);
    }

    /** Sets the observer of the sent request. Called before the first attempt. */
    void tap(RequestTap to) {
        tap = to;
    }

    /** Returns whether all sent body bytes can be sent again. */
    boolean isWhole() {
        BodyReplay kept = replay;
        return !begun || (kept != null && kept.isWhole()) || filtering().holdsWholeRequest();
    }

    /** Returns whether the whole request has arrived and has been sent. */
    boolean isSent() {
        return state.request() == Half.DONE && !filtering().hasUnsentRequest();
    }

    // ---- client side

    /** Pauses reading of the body while an attempt waits. {@link #readOn} ends the pause. */
    void pause() {
        paused = true;
        detach();
        if (state.request() == Half.BODY) {
            state.downstream().pauseReading();
        }
    }

    /** Stops sending the body to the current attempt, because that attempt ends. */
    void detach() {
        to = null;
    }

    /**
     * Resumes reading of the body if an attempt, a filter or a wait before the first attempt has paused reading.
     *
     * @return whether reading was resumed
     */
    boolean readOn() {
        boolean reads = state.request() == Half.BODY
                && !state.isClosed()
                && (state.endRequestPause() || paused || filtering().isActive());
        paused = false;
        if (reads) {
            state.downstream().resumeReading();
        }
        return reads;
    }

    // ---- origin side

    /**
     * Adapts the framing in the head to the filtered body.
     *
     * @return false if the framing is invalid, so that the exchange has failed
     */
    boolean frame() {
        GatewayError broken = filtering().frameRequest(state.requireRequestHead());
        if (broken != null) {
            owner.failLogged(broken);
        }
        return broken == null;
    }

    /** Sends the head with the {@code Host} that the route requires, and the part of the body that has arrived. */
    void send(Attempt attempt) {
        RequestHead head = state.requireRequestHead();
        if (tap != null) {
            tap.onRequestHead(head);
        }
        setHost(head, attempt.endpoint().hostField());
        if (deadline != null) {
            long now = attempt.upstreams.turnTime();
            deadline.write(head, state.remaining(now), attempt.remaining(now), now);
        }
        attempt.send(head, path);
        try {
            sendBody(attempt);
        } catch (OutOfMemoryError refusal) {
            // The caller continues with this attempt, so the exchange fails in a later task.
            attempt.upstreams.loop().eventLoop().execute(() -> owner.fail(bodyIsGone()));
        }
    }

    /**
     * Returns the error for an attempt that cannot send the body, because memory for the kept body was refused or
     * reclaimed.
     */
    static GatewayError bodyIsGone() {
        return GatewayError.local(
                ErrorKind.OVERLOADED, "no memory is left to keep the request body for another attempt");
    }

    private void sendBody(Attempt attempt) {
        OriginStream origin = attempt.stream();
        HttpHeaders trailers = trailers();
        RequestTap copying = tap;
        if (filtering().sendWholeRequest(copying == null ? origin : new TappedSink(origin, copying))) {
            origin.flush();
            return;
        }
        BodyReplay kept = replay;
        ByteBuf before = begun && kept != null ? kept.again() : null;
        if (before != null) {
            origin.sendBody(before);
        }
        to = origin;
        if (filtering().hasUnsentRequest()) {
            resume(origin);
            origin.flush();
        } else if (state.request() == Half.DONE || filtering().isRequestSent()) {
            filtering().endRequest(trailers, this);
            origin.flush();
        }
    }

    /**
     * Returns the received trailers, after removing the fields that only filters may set. Changes the trailers in
     * place, because filters may hold the same object.
     */
    private HttpHeaders trailers() {
        HttpHeaders trailers = state.requestTrailers();
        state.requireRequestHead().stripFiltered(trailers);
        return trailers;
    }

    private void setHost(RequestHead head, String ofEndpoint) {
        Route route = state.route();
        String host = route == null ? head.host() : route.targetHost(head, ofEndpoint);
        if (host.isEmpty()) {
            // Host is optional for an HTTP/1.0 client but required by an HTTP/1.1 origin.
            host = ofEndpoint;
        } else if (!hostReplaced && host.equals(head.host())) {
            return;
        }
        hostReplaced = true;
        head.headers().set(HttpHeaderNames.HOST, host);
    }

    /**
     * Relays a chunk of the body. Owns {@code chunk}.
     *
     * @param origin the stream of the current attempt; null if no attempt has a connection
     */
    void onChunk(ByteBuf chunk, @Nullable OriginStream origin) {
        if (origin == null || filtering().isRequestSent()) {
            // The chunk is discarded, because no attempt needs it: the response was early, filters have ended the
            // request, or the exchange has failed.
            chunk.release();
            return;
        }
        to = origin;
        boolean relayed = filtering().relayRequest(chunk, this);
        // A body publisher may have failed the exchange during the call. The client's connection may already serve the
        // next exchange, so reading from it must not be paused.
        if (relayed && isOpen() && !(origin.isWritable() && filtering().acceptsRequest())) {
            state.downstream().pauseReading();
        }
    }

    /** Handles the end of the request. */
    void onEnd(OriginStream origin) {
        to = origin;
        if (!filtering().isRequestSent()) {
            filtering().endRequest(trailers(), this);
        }
    }

    /**
     * Sends buffered chunks, because the origin is writable.
     *
     * @return whether reading from the client may resume
     */
    boolean resume(OriginStream origin) {
        if (!filtering().hasUnsentRequest()) {
            return true;
        }
        to = origin;
        if (!filtering().relayHeldRequest(this) || !isOpen()) {
            return false;
        }
        if (state.request() == Half.DONE) {
            onEnd(origin);
        }
        return true;
    }

    /** Releases the kept body, because no later attempt needs it. */
    void dropReplay() {
        BodyReplay kept = replay;
        if (kept != null) {
            kept.close();
        }
    }

    // ---- output of the filters

    private OriginStream origin() {
        OriginStream origin = to;
        if (origin == null) {
            throw state.unexpected("a chunk for no attempt");
        }
        return origin;
    }

    @Override
    public void sendBody(ByteBuf chunk) {
        begun = true;
        if (tap != null) {
            tap.onRequestChunk(chunk);
        }
        BodyReplay kept = replay;
        if (kept != null) {
            kept.keep(chunk);
        }
        origin().sendBody(chunk);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        origin().sendEnd(trailers);
        if (tap != null) {
            tap.onRequestSent(trailers);
        }
    }

    /**
     * Sends a body that is held as a whole, and reports the body to the tap, which observes the sent request. If
     * another attempt sends the body again, the tap ignores the repetition.
     */
    private record TappedSink(BodySink origin, RequestTap tap) implements BodySink {
        @Override
        public void sendBody(ByteBuf chunk) {
            tap.onRequestChunk(chunk);
            origin.sendBody(chunk);
        }

        @Override
        public void sendEnd(HttpHeaders trailers) {
            origin.sendEnd(trailers);
            tap.onRequestSent(trailers);
        }

        @Override
        public boolean isWritable() {
            return origin.isWritable();
        }

        @Override
        public boolean isOpen() {
            return origin.isOpen();
        }
    }

    @Override
    public boolean isWritable() {
        return to != null && to.isWritable();
    }

    @Override
    public boolean isOpen() {
        return to != null;
    }
}
