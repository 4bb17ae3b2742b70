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
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Headroom;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one request to the upstream of a mirror. Records the request while the exchange sends it, and sends the copy
 * in a separate task after the whole request has been written. If the route compares responses, also records the
 * response of the exchange. The exchange never waits for the copy. The copy may outlive the exchange and keeps no
 * reference to it. Used on the exchange's event loop.
 *
 * <p>The bytes of a copy have the lowest rank in the memory budget: copies are reclaimed first, and no message is
 * aborted to make room for a copy.
 */
public final class Mirror implements RequestTap, Holding.Owner, MirrorCall.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);

    /**
     * The priority of copies. With this priority, a copy may use only the smallest part of each limit of its upstream.
     */
    private static final int LOWEST_PRIORITY = 0;

    private enum Stage {
        /** The exchange has not begun to send the request. */
        NEW,
        /** The request is being recorded. */
        RECORDING,
        /**
         * The whole request is recorded, and the copy is sent. The response to the copy or the response of the exchange
         * is still incomplete.
         */
        SENT,
        /** The end of the copy has been reported. Later events are ignored. */
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
    /** The reason why the request is not copied; null if the request is copied. */
    private final @Nullable MirrorOutcome refusal;

    private final Holding memory;
    private final GrowingBytes request;
    private final PrimaryRecord primary;
    /**
     * Limits the wait for the rest of the request and then the wait for the response of the exchange. The call to the
     * mirror has its own deadline.
     */
    private final Deadline patience = Deadline.of(this::onExchangeEnd);

    private Stage stage = Stage.NEW;
    private @Nullable RequestHead head;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private int headBytes;
    private long begun;
    private @Nullable MirrorCall call;
    private @Nullable MirrorOutcome outcome;
    private long nanos;
    private @Nullable ComparedResponse shadow;

    /**
     * Prepares a copy.
     *
     * @param exchange the exchange, which has a route and has not begun an attempt
     * @param path the path that the origin receives
     * @param overloaded whether the gateway sheds load, so that it sends no copies
     * @param ended receives the end of the copy; not called if the exchange never sends its request
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
                size -> hold(size, primaryBytes()), policy.config().body().asInt());
        this.primary = new PrimaryRecord(compare, size -> hold(requestBytes(), size));
    }

    private int requestBytes() {
        return request.capacity();
    }

    private int primaryBytes() {
        return primary.bytes();
    }

    private boolean hold(int requestBytes, int primaryBytes) {
        long bytes = (long) headBytes + requestBytes + primaryBytes;
        return bytes <= Integer.MAX_VALUE && memory.hold((int) bytes, Holding.Kind.COPY);
    }

    // ---- the request

    @Override
    public void onRequestHead(RequestHead sent) {
        guard(() -> record(sent));
    }

    /** Runs a step so that a failure of the copy can't reach the exchange. */
    private void guard(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            boolean refused = Headroom.isRefusal(e, LOG) || e instanceof OutOfMemoryError;
            if (!refused) {
                LOG.error(
                        "internal error in the mirror copy of request {}; the copy is dropped, and the request continues",
                        requestId,
                        e);
            }
            if (isOpen()) {
                end(refused ? MirrorOutcome.MEMORY : MirrorOutcome.FAILED);
            }
        }
    }

    private void record(RequestHead sent) {
        if (stage != Stage.NEW) {
            return;
        }
        MirrorOutcome refused = refuse(sent);
        if (refused != null) {
            stage = Stage.OVER;
            primary.drop();
            report(refused, null);
            return;
        }
        stage = Stage.RECORDING;
        headBytes = sent.size() + Call.FIELD * sent.headers().size();
        if (request.reserve(0)) {
            head = sent.copy();
            upstreams.loop().deadlines().arm(patience, policy.timeout());
        } else {
            end(MirrorOutcome.MEMORY);
        }
    }

    /**
     * Acquires a permit for the copy, if nothing prevents the copy.
     *
     * @return the reason why the copy is not sent; null if the permit is granted
     */
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
        guard(() -> record(chunk));
    }

    private void record(ByteBuf chunk) {
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
        guard(() -> complete(sent));
    }

    private void complete(HttpHeaders sent) {
        if (stage == Stage.RECORDING) {
            stage = Stage.SENT;
            trailers = sent.isEmpty() ? EmptyHttpHeaders.INSTANCE : sent.copy();
            // The copy is sent in a later task, so that the request itself is flushed first.
            upstreams.loop().later(this::send);
        }
    }

    private void send() {
        RequestHead copy = head;
        if (stage != Stage.SENT || copy == null) {
            return;
        }
        guard(() -> send(copy));
    }

    private void send(RequestHead copy) {
        upstreams.loop().deadlines().arm(patience, policy.timeout());
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
        // The route determines the Host header that origins receive.
        state.enter(route);
        if (generation.overload() != null) {
            state.priority(LOWEST_PRIORITY);
        }
        TraceContext own = Call.childOf(trace, upstreams.loop());
        if (own != null) {
            state.trace(own);
        }
        MirrorCall sending = new MirrorCall(
                state, upstreams, ProxyTarget.ofMirror(upstream), path, request.toArray(), trailers, compare, this);
        call = sending;
        sending.begin(policy.timeout());
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

    /**
     * Returns a receiver of the response body, which passes the body to {@code relay}. If responses are compared, the
     * receiver also records the body.
     */
    public ResponseBodyListener before(ResponseBodyListener relay) {
        return compare == null ? relay : new ObservedBody(this::onPrimaryChunk, this::onPrimaryEnd, relay);
    }

    /** Records the response head of the exchange. Called before filters change the head. */
    public void onPrimaryHead(ResponseHead received) {
        guard(() -> primary.onHead(received));
    }

    /** Returns whether the response body is recorded, so that it must not be spliced. */
    public boolean needsPrimaryBody() {
        return primary.needsBody();
    }

    void onPrimaryChunk(ByteBuf chunk) {
        guard(() -> primary.onChunk(chunk));
    }

    void onPrimaryEnd() {
        guard(() -> {
            primary.onEnd();
            endIfSettled();
        });
    }

    /**
     * Ends the recording of the exchange. Called when the exchange has ended, when it continues at the fallback
     * upstream, or when the timeout of the copy expires.
     */
    public void onExchangeEnd() {
        if (stage == Stage.RECORDING) {
            end(MirrorOutcome.INCOMPLETE);
            return;
        }
        if (stage == Stage.NEW) {
            stage = Stage.OVER;
        }
        primary.onCut();
        endIfSettled();
    }

    // ---- the end

    private boolean isOpen() {
        return stage == Stage.RECORDING || stage == Stage.SENT;
    }

    private void endIfSettled() {
        MirrorOutcome how = outcome;
        if (stage == Stage.SENT && how != null && (primary.isOver() || how != MirrorOutcome.RESPONSE)) {
            end(how);
        }
    }

    @Override
    public void onReclaim() {
        if (isOpen()) {
            primary.drop();
            end(outcome == null ? MirrorOutcome.MEMORY : outcome);
        }
    }

    private void end(MirrorOutcome how) {
        stage = Stage.OVER;
        policy.leave(upstreams.loop().index());
        upstreams.loop().deadlines().remove(patience);
        memory.release();
        MirrorCall sent = call;
        if (sent != null) {
            sent.closeEarly();
            sent.releaseMemory();
        }
        RequestHead copied = head;
        report(how, copied != null && compares(how) ? pair(copied) : null);
        head = null;
        shadow = null;
        request.clear();
        primary.drop();
    }

    private boolean compares(MirrorOutcome how) {
        return compare != null && how == MirrorOutcome.RESPONSE;
    }

    private @Nullable MirrorPair pair(RequestHead copied) {
        ComparedResponse first = primary.response();
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
        MirrorEnd end = new MirrorEnd(
                route.id(), policy.config().upstream(), how, how.isDropped() ? 0 : nanos, compares(how), pair);
        try {
            ended.accept(end);
        } finally {
            end.settle();
        }
    }
}
