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
 * Sends a request to an attempt: the head, then the body through the filters, with the origin's backpressure. Keeps body
 * bytes for further attempts. Used on the exchange's event loop.
 */
final class OutgoingRequest implements BodySink {
    private final ExchangeState state;
    private final AttemptOwner owner;
    private final String path;
    private final @Nullable DeadlineField deadline;
    private @Nullable BodyReplay replay;
    /** Null unless the request is copied. */
    private @Nullable RequestTap tap;
    /** Destination of the body; null before the first attempt and between two attempts. */
    private @Nullable OriginStream to;
    /** Whether body bytes have been sent. */
    private boolean begun;
    /** Whether an attempt has replaced {@code Host}; the attempts share one head. */
    private boolean hostReplaced;
    /** Whether reading of the body must resume after the request is sent. */
    private boolean paused;

    /**
     * @param path path and query for the origin
     * @param deadline the header of the remaining time; null if the route sends none
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

    /** Starts to keep up to {@code bytes} of the body for further attempts. */
    void keep(HeldMemory memory, long bytes) {
        replay = new BodyReplay(state.downstream().allocator(), memory, bytes);
    }

    /** Reports the request to {@code to}. Called before the first attempt. */
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

    /** Pauses reading of the body until {@link #readOn}, while an attempt waits. */
    void pause() {
        paused = true;
        detach();
        if (state.request() == Half.BODY) {
            state.downstream().pauseReading();
        }
    }

    /** The current attempt ends. */
    void detach() {
        to = null;
    }

    /** Resumes reading of the body if an attempt or a filter has paused it. @return whether it does */
    boolean readOn() {
        boolean reads = (paused || filtering().isActive()) && state.request() == Half.BODY && !state.isClosed();
        paused = false;
        if (reads) {
            state.downstream().resumeReading();
        }
        return reads;
    }

    // ---- origin side

    /** Adapts the framing in the head to the filtered body. @return false if that has failed the exchange */
    boolean frame() {
        GatewayError broken = filtering().frameRequest(state.requireRequestHead());
        if (broken != null) {
            owner.failLogged(broken);
        }
        return broken == null;
    }

    /** Sends the head, with the {@code Host} that the route requires, and the part of the body that has arrived. */
    void send(Attempt attempt) {
        RequestHead head = state.requireRequestHead();
        if (tap != null) {
            tap.onRequestHead(head);
        }
        setHost(head, attempt.endpoint().hostField());
        if (deadline != null) {
            long now = attempt.upstreams.nanoTime();
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

    /** Returns the error for a further attempt after the memory of the kept body was refused or reclaimed. */
    static GatewayError bodyIsGone() {
        return GatewayError.local(ErrorKind.OVERLOADED, "no memory is left to retry the request body");
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

    /** Removes the fields that only filters may set from the received trailers, which filters may hold, too; returns them. */
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

    /** Relays a chunk. Owns {@code chunk}. @param origin null if no attempt has a connection */
    void onChunk(ByteBuf chunk, @Nullable OriginStream origin) {
        if (origin == null || filtering().isRequestSent()) {
            // The response was early or the exchange has failed: discards the rest of the body.
            chunk.release();
            return;
        }
        to = origin;
        boolean relayed = filtering().relayRequest(chunk, this);
        // Publishers may have failed the exchange within the call; the connection then belongs to the next one.
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

    /** Sends buffered chunks once the origin is writable. @return whether reading from the client may resume */
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

    /** Releases the kept body; no further attempt needs it. */
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

    /** Sends a body that is held whole, possibly for another attempt; the tap ignores the repetition. */
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
