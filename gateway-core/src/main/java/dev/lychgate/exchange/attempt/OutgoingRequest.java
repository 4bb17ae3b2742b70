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
import dev.lychgate.resilience.BodyReplay;
import dev.lychgate.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The request's way to an attempt: its head, then its body through the filters, with the origin's backpressure. Keeps the part of
 * the body that a further attempt may need. Lives on the exchange's event loop.
 */
final class OutgoingRequest implements BodySink {
    private final ExchangeState state;
    private final AttemptOwner owner;
    private final String path;
    private final @Nullable DeadlineField deadline;
    private @Nullable BodyReplay replay;
    /** The destination of the body while a chunk is relayed. */
    private @Nullable OriginStream to;
    /** Whether a part of the body has been sent. */
    private boolean begun;
    /** Whether the body has to be read again once the request is sent. */
    private boolean paused;

    /**
     * @param path the path and query for the origin
     * @param deadline the field that carries the remaining time; null if the route sends none
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

    /** Keeps up to {@code bytes} of the body for a further attempt from here on. */
    void keep(HeldMemory memory, long bytes) {
        replay = new BodyReplay(state.downstream().allocator(), memory, bytes);
    }

    /** Returns whether all of the body that has been sent can be sent again. */
    boolean isWhole() {
        BodyReplay kept = replay;
        return !begun || (kept != null && kept.isWhole()) || filtering().holdsWholeRequest();
    }

    /** Returns whether the whole request has arrived and has been sent. */
    boolean isSent() {
        return state.request() == Half.DONE && !filtering().hasUnsentRequest();
    }

    // ---- reading from the client

    /** An attempt waits: the body is not read until {@link #readOn}. */
    void pause() {
        paused = true;
        if (state.request() == Half.BODY) {
            state.downstream().pauseReading();
        }
    }

    /** The request has been sent: reads the rest of the body if an attempt or a filter has paused it. @return whether it does */
    boolean readOn() {
        boolean reads = (paused || filtering().isActive()) && state.request() == Half.BODY;
        paused = false;
        if (reads) {
            state.downstream().resumeReading();
        }
        return reads;
    }

    // ---- sending

    /** Makes the head announce the body that filters leave. @return false if the exchange has failed by that */
    boolean frame() {
        GatewayError broken = filtering().frameRequest(state.requireRequestHead());
        if (broken != null) {
            owner.failLogged(broken);
        }
        return broken == null;
    }

    /** Sends the head, addressed to the attempt's endpoint as the route demands, and the part of the body that has arrived. */
    void send(Attempt attempt) {
        RequestHead head = state.requireRequestHead();
        setHost(head, attempt.endpoint().hostField());
        if (deadline != null) {
            long now = attempt.upstreams.nanoTime();
            deadline.write(head, state.remaining(now), attempt.remaining(now), now);
        }
        attempt.send(head, path);
        try {
            sendBody(attempt);
        } catch (OutOfMemoryError refusal) {
            // The caller goes on with this attempt, so the exchange fails behind it.
            GatewayError lack = GatewayError.local(ErrorKind.OVERLOADED, "no memory is left to send the body again");
            attempt.upstreams.loop().eventLoop().execute(() -> owner.fail(lack));
        }
    }

    private void sendBody(Attempt attempt) {
        OriginStream origin = attempt.stream();
        if (filtering().sendWholeRequest(origin)) {
            origin.flush();
            return;
        }
        BodyReplay kept = replay;
        ByteBuf before = begun && kept != null ? kept.again() : null;
        if (before != null) {
            origin.sendBody(before);
        }
        if (filtering().hasUnsentRequest()) {
            resume(origin);
        } else if (state.request() == Half.DONE) {
            origin.sendEnd(state.requestTrailers());
            origin.flush();
        }
    }

    private void setHost(RequestHead head, String ofEndpoint) {
        Route route = state.route();
        String host = route == null ? head.host() : route.targetHost(head, ofEndpoint);
        if (host.isEmpty()) {
            // Optional for an HTTP/1.0 client, required by an HTTP/1.1 origin.
            host = ofEndpoint;
        } else if (host.equals(head.host())) {
            return;
        }
        head.headers().set(HttpHeaderNames.HOST, host);
    }

    /** Relays a chunk, which it owns. @param origin null if no attempt has a connection */
    void onChunk(ByteBuf chunk, @Nullable OriginStream origin) {
        if (origin == null || filtering().isRequestSent()) {
            // The response came early, or the exchange is given up: the rest is discarded.
            chunk.release();
            return;
        }
        to = origin;
        boolean relayed = filtering().relayRequest(chunk, this);
        if (relayed && !origin.isWritable()) {
            state.downstream().pauseReading();
        }
    }

    /** The request is complete. @return whether its end has been sent */
    boolean onEnd(OriginStream origin) {
        to = origin;
        return !filtering().isRequestSent() && filtering().endRequest(state.requestTrailers(), this);
    }

    /** The origin can take more: held chunks are sent first. @return whether the client may send more */
    boolean resume(OriginStream origin) {
        if (!filtering().hasUnsentRequest()) {
            return true;
        }
        to = origin;
        if (!filtering().relayHeldRequest(this)) {
            return false;
        }
        if (state.request() == Half.DONE) {
            onEnd(origin);
        }
        return true;
    }

    /** No further attempt will need the body. */
    void dropReplay() {
        BodyReplay kept = replay;
        if (kept != null) {
            kept.close();
        }
    }

    // ---- behind the filters

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
        BodyReplay kept = replay;
        if (kept != null) {
            kept.keep(chunk);
        }
        origin().sendBody(chunk);
    }

    @Override
    public void sendEnd(HttpHeaders trailers) {
        origin().sendEnd(trailers);
    }

    @Override
    public boolean isWritable() {
        return origin().isWritable();
    }
}
