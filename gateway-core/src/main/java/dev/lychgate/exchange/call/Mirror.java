package dev.lychgate.exchange.call;

import dev.lychgate.config.CompareConfig;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.attempt.RequestTap;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.MirrorPolicy;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.MirrorField;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Holding;
import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.route.Route;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.upstream.Upstream;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The copy of one request, beside its exchange. It records the request while the exchange sends it, sends the copy in a separate
 * task once the whole request has been written, and records the response of the exchange if the route compares responses. The
 * exchange never waits for it, and continues unchanged if the copy is dropped. The copy may outlive the exchange and keeps no
 * part of it. On the exchange's event loop.
 *
 * <p>Its bytes have the lowest rank in the memory budget: no message is aborted for a copy, and copies are reclaimed first.
 */
public final class Mirror implements RequestTap, Holding.Owner, MirrorCall.Listener {
    private enum Stage {
        /** The exchange has not begun to send the request. */
        NEW,
        /** The request is recorded. */
        RECORDING,
        /** The copy is sent, or its response and the primary one are awaited. */
        SENT,
        /** Reported; all later events are ignored. */
        OVER
    }

    private final LoopUpstreams upstreams;
    private final MirrorPolicy policy;
    private final Consumer<MirrorEnd> ended;
    private final Generation generation;
    private final Route route;
    private final CallClient client;
    private final String requestId;
    private final @Nullable TraceContext trace;
    private final String path;
    private final @Nullable CompareConfig compare;
    /** The reason for which the request is not copied; null if it is. */
    private final @Nullable MirrorOutcome refusal;

    private final Holding memory;
    private final GrowingBytes request;
    private final GrowingBytes primaryBody;

    private Stage stage = Stage.NEW;
    private @Nullable RequestHead head;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private int headBytes;
    private long begun;
    private @Nullable MirrorCall call;
    private @Nullable MirrorOutcome outcome;
    private long nanos;
    private @Nullable ComparedResponse shadow;
    private @Nullable ComparedResponse primary;
    private boolean keepsPrimary;
    private boolean primaryOver;

    /**
     * @param exchange the exchange, with its route and before its first attempt
     * @param path path for the origin
     * @param overloaded whether the gateway sheds load, so that nothing is copied
     * @param ended receives the end of a copy that was recorded or dropped; not called if the exchange sends no request
     */
    public Mirror(
            ExchangeState exchange,
            LoopUpstreams upstreams,
            MirrorPolicy policy,
            String path,
            boolean overloaded,
            Consumer<MirrorEnd> ended) {
        this.upstreams = upstreams;
        this.policy = policy;
        this.ended = ended;
        this.generation = exchange.generation();
        this.route = exchange.requireRoute();
        this.client = CallClient.copied(exchange);
        this.requestId = exchange.requestId();
        this.trace = exchange.trace();
        this.path = path;
        this.compare = policy.config().compare();
        this.refusal = overloaded
                ? MirrorOutcome.OVERLOAD
                : exchange.downstream().isDraining() ? MirrorOutcome.DRAINING : null;
        this.memory = upstreams.loop().memory().holding(this);
        this.request = new GrowingBytes(
                size -> hold(size, primaryCapacity()), policy.config().body().asInt());
        this.primaryBody = new GrowingBytes(
                size -> hold(requestCapacity(), size),
                compare == null ? 0 : compare.body().asInt());
    }

    private int requestCapacity() {
        return request.capacity();
    }

    private int primaryCapacity() {
        return primaryBody.capacity();
    }

    private boolean hold(int requestBytes, int primaryBytes) {
        long bytes = (long) headBytes + requestBytes + primaryBytes;
        return bytes <= Integer.MAX_VALUE && memory.hold((int) bytes, Holding.Kind.REPLAY);
    }

    // ---- the request

    @Override
    public void onRequestHead(RequestHead sent) {
        if (stage != Stage.NEW) {
            return;
        }
        MirrorOutcome refused = refuse(sent);
        if (refused != null) {
            stage = Stage.OVER;
            report(refused, null);
            return;
        }
        stage = Stage.RECORDING;
        headBytes = sent.size() + Call.FIELD * sent.headers().size();
        if (request.reserve(0)) {
            head = sent.copy();
        } else {
            end(MirrorOutcome.MEMORY);
        }
    }

    /** Acquires the permit of the copy. @return why there is none; null if there is */
    private @Nullable MirrorOutcome refuse(RequestHead sent) {
        if (refusal != null) {
            return refusal;
        }
        if (sent.framing() == BodyFraming.LENGTH && !request.fits(sent.contentLength())) {
            return MirrorOutcome.BODY_TOO_LONG;
        }
        return policy.enter(upstreams.loop().index()) ? null : MirrorOutcome.CONCURRENCY;
    }

    @Override
    public void onRequestChunk(ByteBuf chunk) {
        if (stage != Stage.RECORDING || !chunk.isReadable()) {
            return;
        }
        if (!request.fits((long) request.length() + chunk.readableBytes())) {
            end(MirrorOutcome.BODY_TOO_LONG);
        } else if (!request.add(chunk)) {
            end(MirrorOutcome.MEMORY);
        }
    }

    @Override
    public void onRequestSent(HttpHeaders sent) {
        if (stage == Stage.RECORDING) {
            stage = Stage.SENT;
            trailers = sent.isEmpty() ? EmptyHttpHeaders.INSTANCE : sent.copy();
            // Later, so that the request itself is flushed first.
            upstreams.loop().later(this::send);
        }
    }

    private void send() {
        RequestHead copy = head;
        if (stage != Stage.SENT || copy == null) {
            return;
        }
        begun = upstreams.loop().nanoTime();
        Upstream upstream = generation.upstream(policy.config().upstream());
        if (upstream == null) {
            onShadow(MirrorOutcome.REFUSED, null);
            return;
        }
        frame(copy);
        MirrorField.addTo(copy.headers());
        ExchangeState state = new ExchangeState(upstreams.loop(), client, generation, requestId);
        state.accept(copy, requestId, null);
        // The route decides the Host that origins receive.
        state.enter(route);
        TraceContext own = Call.childOf(trace, upstreams.loop());
        if (own != null) {
            state.trace(own);
        }
        MirrorCall sending = new MirrorCall(
                state, upstreams, ProxyTarget.ofMirror(upstream), path, request.toArray(), trailers, compare, this);
        call = sending;
        sending.begin(policy.config().timeout().toNanos());
    }

    private void frame(RequestHead copy) {
        if (!trailers.isEmpty()) {
            copy.frame(BodyFraming.CHUNKED, 0);
        } else if (copy.framing() != BodyFraming.NONE || request.length() > 0) {
            copy.frame(BodyFraming.LENGTH, request.length());
        }
    }

    // ---- the response to the copy

    @Override
    public void onShadow(MirrorOutcome how, @Nullable ComparedResponse response) {
        if (stage != Stage.SENT) {
            return;
        }
        outcome = how;
        nanos = upstreams.loop().nanoTime() - begun;
        shadow = response;
        endIfSettled();
    }

    // ---- the response of the exchange

    /** Returns the receiver of the response's body in place of {@code relay}. */
    public ResponseBodyListener before(ResponseBodyListener relay) {
        return compare == null ? relay : new PrimaryResponse(this, relay);
    }

    /** The exchange has a response, which filters have not changed yet. */
    public void onPrimaryHead(ResponseHead received) {
        CompareConfig settings = compare;
        if (settings != null && isOpen()) {
            primary = ComparedResponse.of(received, settings);
            keepsPrimary = settings.body().bytes() > 0
                    && (received.framing() != BodyFraming.LENGTH || primaryBody.fits(received.contentLength()));
        }
    }

    /** Returns whether the body of the response is recorded, so that it must not be spliced. */
    public boolean needsPrimaryBody() {
        return keepsPrimary && isOpen();
    }

    void onPrimaryChunk(ByteBuf chunk) {
        if (!needsPrimaryBody()) {
            return;
        }
        boolean fits = primaryBody.fits((long) primaryBody.length() + chunk.readableBytes());
        if (!fits || !primaryBody.add(chunk)) {
            keepsPrimary = false;
            primaryBody.clear();
            hold(requestCapacity(), 0);
        }
    }

    void onPrimaryEnd() {
        ComparedResponse known = primary;
        if (known != null && keepsPrimary && isOpen()) {
            primary = known.with(primaryBody.toArray());
        }
        primaryOver = true;
        endIfSettled();
    }

    /** The exchange has ended. */
    public void onExchangeEnd() {
        if (stage == Stage.NEW) {
            stage = Stage.OVER;
        } else if (stage == Stage.RECORDING) {
            end(MirrorOutcome.INCOMPLETE);
        } else if (!primaryOver) {
            // An incomplete response is no response to compare.
            primary = null;
            primaryOver = true;
            endIfSettled();
        }
    }

    // ---- the end

    private boolean isOpen() {
        return stage == Stage.RECORDING || stage == Stage.SENT;
    }

    private void endIfSettled() {
        MirrorOutcome how = outcome;
        if (stage == Stage.SENT && how != null && (primaryOver || how != MirrorOutcome.RESPONSE || compare == null)) {
            end(how);
        }
    }

    @Override
    public void onReclaim() {
        if (isOpen()) {
            primary = null;
            end(outcome == null ? MirrorOutcome.MEMORY : outcome);
        }
    }

    private void end(MirrorOutcome how) {
        RequestHead copied = head;
        boolean compares = compare != null && how == MirrorOutcome.RESPONSE;
        MirrorPair pair = compares && copied != null ? pair(copied) : null;
        stage = Stage.OVER;
        policy.leave(upstreams.loop().index());
        memory.release();
        MirrorCall sent = call;
        if (sent != null) {
            sent.closeEarly();
            sent.releaseMemory();
        }
        head = null;
        request.clear();
        primaryBody.clear();
        report(how, pair);
    }

    private @Nullable MirrorPair pair(RequestHead copied) {
        ComparedResponse first = primary;
        ComparedResponse second = shadow;
        if (first == null || second == null || compare == null) {
            return null;
        }
        String query = generation.redaction().query(copied.query());
        String target = query == null ? path : path + '?' + query;
        MirrorPair.Request its =
                new MirrorPair.Request(requestId, copied.method().name(), target, generation.redaction());
        return MirrorPair.of(its, compare, first, second);
    }

    private void report(MirrorOutcome how, @Nullable MirrorPair pair) {
        boolean compares = compare != null && how == MirrorOutcome.RESPONSE;
        MirrorEnd end =
                new MirrorEnd(route.id(), policy.config().upstream(), how, how.isDropped() ? 0 : nanos, compares, pair);
        ended.accept(end);
        end.settle();
    }
}
