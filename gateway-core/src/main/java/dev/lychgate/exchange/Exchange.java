package dev.lychgate.exchange;

import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.ErrorResponses;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterChains;
import dev.lychgate.filter.FilterSlot;
import dev.lychgate.filter.LogMark;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.generation.TraceRule;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.route.RedirectLocation;
import dev.lychgate.route.Route;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.tracing.Tracing;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer, from the first head to the last byte. An explicit state machine: a {@link Phase} that says
 * where the exchange is, and two {@link Half halves} that say how far request and answer have come. Everything that
 * happens is an event of one of three parties (downstream, attempt, deadline), told on the exchange's event loop.
 *
 * <p>The exchange ends in exactly one way: whole, answered with an error before anything was committed, or cut off after
 * that. Whichever it is, its attempt has ended, its observer hears of it once, and what still comes is thrown away.
 */
public final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final Worker worker;
    private final Downstream downstream;
    private final Generation generation;
    private final Timeline timeline;
    private final ExchangeRecord record = new ExchangeRecord();

    private Phase phase = Phase.FILTERING_REQUEST;
    private Half request = Half.HEAD;
    private Half response = Half.HEAD;
    private @Nullable RequestHead head;
    private @Nullable Attempt attempt;
    private @Nullable ExchangeLimit limit;
    private FilterChains.RouteChains chains;
    private @Nullable FilteredExchange filtered;
    private @Nullable Failing failing;
    private @Nullable Tunnel tunnel;
    private @Nullable TraceContext traceContext;
    /** The client behind a trusted proxy; null if it is the downstream's peer. */
    private @Nullable InetSocketAddress forwardedClient;

    private boolean clientEnded;
    private final Forwarding forwarding;
    private final Answering answering;

    public Exchange(Worker worker, Downstream downstream) {
        assert worker.loop().inLoop();
        this.worker = worker;
        this.downstream = downstream;
        this.generation = worker.generation();
        this.chains = generation.filters().of(null);
        this.timeline = new Timeline(worker.loop().nanoTime());
        record.requestId = worker.nextRequestId();
        this.forwarding = new Forwarding(this, worker);
        this.answering = new Answering(this);
    }

    // ---- what the downstream tells

    /** A request begins. */
    public void begin(RequestHead received) {
        accept(received);
        if (downstream.forwarding().isLoop(received)) {
            fail(GatewayError.downstream(
                    ErrorKind.LOOP_DETECTED, "the request has passed through this gateway before"));
            return;
        }
        LocalAnswers.Answer last = FinalRecipient.answer(received);
        if (last != null) {
            answering.answer(last.head(), last.body());
            return;
        }
        RedirectLocation toHttps = generation.httpsRedirects().of(downstream.listener(), received);
        if (toHttps != null) {
            redirect(toHttps, received);
            return;
        }
        TraceRule rule = generation.traceRule();
        if (rule != null) {
            trace(rule, received);
        }
        if (!runs(FilterStage.GLOBAL, generation.filters().inbound())) {
            forwarding.route();
        }
    }

    private void redirect(RedirectLocation to, RequestHead received) {
        LocalAnswers.Answer elsewhere = LocalAnswers.permanently(to, received);
        if (elsewhere == null) {
            fail(GatewayError.downstream(ErrorKind.BAD_HOST, "the redirect needs a Host"));
        } else {
            answering.answer(elsewhere.head(), elsewhere.body());
        }
    }

    private void trace(TraceRule rule, RequestHead received) {
        boolean knows = rule.takeSecret(received);
        if (knows || rule.matches(received, client().getAddress())) {
            filtering().trace(worker.loop().nanoTime(), knows && rule.responds() ? rule.header() : null);
        }
    }

    /**
     * A request begins that is not to be served.
     *
     * @param received its head, as far as there is one
     * @param error why
     */
    public void refuse(@Nullable RequestHead received, GatewayError error) {
        if (received == null) {
            request = Half.ABORTED;
        } else {
            accept(received);
        }
        fail(error);
    }

    /** A request ends before it could begin: the client is gone, or what followed {@code received} made it malformed. */
    public void abandon(RequestHead received, GatewayError error) {
        accept(received);
        request = Half.ABORTED;
        onDownstreamClosed(error);
    }

    private void accept(RequestHead received) {
        head = received;
        ForwardingHeaders fields = downstream.forwarding();
        record.requestId = fields.requestId(received, record.requestId);
        forwardedClient = fields.settleClient(received);
        fields.strip(received);
        generation.identityFields().strip(received.headers());
        Tracing tracing = generation.tracing();
        if (tracing != null) {
            traceContext = tracing.begin(
                    received.headers(), fields.isTrusted(), worker.loop().random());
        }
        boolean empty = received.framing() == BodyFraming.NONE
                || (received.framing() == BodyFraming.LENGTH && received.contentLength() == 0);
        if (empty) {
            request = Half.DONE;
            timeline.requestIsWhole();
        } else {
            request = Half.BODY;
        }
    }

    /** A piece of the request body; the exchange owns it. */
    public void onRequestBody(ByteBuf piece) {
        record.requestBytes += piece.readableBytes();
        Tunnel t = tunnel;
        if (t == null) {
            forwarding.onBody(piece);
        } else if (phase == Phase.CLOSED) {
            piece.release();
        } else {
            t.fromClient(piece);
        }
    }

    /** The request is whole. */
    public void onRequestEnd(HttpHeaders trailers) {
        Tunnel t = tunnel;
        if (t != null) {
            t.endOfClient();
        } else if (request == Half.BODY) {
            request = Half.DONE;
            timeline.requestEnded(worker.loop().nanoTime());
            generation.configuredTrailers().strip(trailers);
            forwarding.onEnd(trailers);
        }
    }

    /** All that one read from the client brought has been told. */
    public void onDownstreamReadComplete() {
        Attempt a = sending();
        if (a != null) {
            a.flush();
        }
    }

    /** The client takes more of the answer again. */
    public void onDownstreamWritable() {
        answering.goOn();
    }

    /** The request breaks off: not HTTP any more, too long, or too slow. */
    public void onRequestBroken(GatewayError error) {
        request = Half.ABORTED;
        fail(error);
    }

    /** The exchange has to end now, whosever fault that is: with an error answer, or with a cut if its answer has begun. */
    public void cut(GatewayError error) {
        fail(error);
    }

    /** The client is gone; nothing can be told to it any more. */
    public void onDownstreamClosed(GatewayError error) {
        if (phase == Phase.CLOSED) {
            return;
        }
        clientEnded = true;
        if (tunnel == null || !tunnel.isClosing()) {
            record.error = error;
        }
        close();
    }

    /** As {@link #onDownstreamClosed}, by a reset: so does the origin's side of a tunnel end that nobody has said goodbye in. */
    public void onDownstreamReset(GatewayError error) {
        Tunnel t = tunnel;
        if (t != null && phase != Phase.CLOSED) {
            t.resetOrigin();
        }
        onDownstreamClosed(error);
    }

    /** The gateway is shutting down: what would go on for ever ends now, everything else when it is done. */
    public void drain() {
        Tunnel t = tunnel;
        if (t != null && phase != Phase.CLOSED) {
            t.end(TunnelEnd.DRAIN);
        }
    }

    // ---- tunnels

    /** The answer grants a tunnel and has been written: what comes from now on, both ways, is handed to the other side. */
    Tunnel openTunnel() {
        Attempt a = attempt;
        Attempts all = forwarding.attempts();
        WebSocketPolicy policy = all == null ? null : all.webSocket();
        if (a == null || all == null || policy == null) {
            throw unexpected("a tunnel of nobody");
        }
        // It was for the handshake; a tunnel has limits of its own.
        endLimit();
        a.becomeTunnel();
        all.becomeTunnel();
        Tunnel opened = new Tunnel(this, worker, a, policy);
        tunnel = opened;
        try {
            worker.observer().onTunnel(this);
        } catch (RuntimeException e) {
            mark().on(LOG.atError()).setCause(e).log("{}whoever observes exchanges has failed over this one", mark());
        }
        return opened;
    }

    /** Both sides have said, or heard, all there was. */
    void finishTunnel() {
        if (phase != Phase.CLOSED) {
            response = Half.DONE;
            downstream.flush();
            close();
            downstream.onExchangeEnd(false);
        }
    }

    // ---- filters

    /**
     * Runs {@code chain}, if there is any; {@link FilterSteps#onFiltered} may be told before this returns. Where there is none, the
     * caller goes on by itself: the way of an exchange that no filter meets is a straight one.
     *
     * @return whether there is
     */
    boolean runs(FilterStage stage, FilterSlot[] chain) {
        if (chain.length == 0) {
            return false;
        }
        filtering().run(stage, chain);
        return true;
    }

    /** What filters have and do here. */
    FilteredExchange filtering() {
        FilteredExchange f = filtered;
        if (f == null) {
            f = new FilteredExchange(this, worker);
            filtered = f;
        }
        return f;
    }

    /** If a transform has failed over {@code body}, so does the exchange. @return whether that is so */
    boolean failIfBroken(FilteredBody body) {
        FilteredBody.Failure failure = body.failure();
        if (failure == null) {
            return false;
        }
        failing().endBy(filtering().errorOf(failure));
        return true;
    }

    // ---- what the attempt tells

    /** The connection that was waited for is there. */
    void onConnection() {
        Attempt a = attempt;
        if (phase != Phase.CONNECTING || a == null) {
            throw unexpected("a connection");
        }
        forwarding.onConnection(a);
    }

    /**
     * Others wait for the connection: it fails if its client has kept that waiting for so long.
     *
     * @param patience in nanoseconds
     * @return whether it has failed
     */
    boolean onConnectionWanted(long patience) {
        if (phase == Phase.RELAYING && answering.stalled() >= patience) {
            fail(GatewayError.downstream(
                    ErrorKind.CLIENT_STALLED, "others waited for the connection, and the client took nothing"));
            return true;
        }
        if (phase == Phase.FORWARDING && request == Half.BODY && downstream.bodySilence() >= patience) {
            onRequestBroken(GatewayError.downstream(
                    ErrorKind.REQUEST_TIMEOUT, "others waited for the connection, and the client sent nothing"));
            return true;
        }
        return false;
    }

    void onInformational(ResponseHead interim) {
        answering.onInformational(interim);
    }

    void onResponseHead(ResponseHead answer) {
        if (phase != Phase.FORWARDING) {
            throw unexpected("a response head");
        }
        Attempt a = attempt;
        Attempts all = forwarding.attempts();
        if (a == null || all == null) {
            throw unexpected("an answer to nothing");
        }
        if (!all.onAnswer(a, answer)) {
            take(answer);
        }
    }

    /** The head of the answer goes to the client. @param late whether something has come between it and the origin's */
    void answered(boolean late) {
        long origins = timeline.firstByteAt();
        timeline.answered(late || origins == 0 ? worker.loop().nanoTime() : origins);
    }

    /** The attempt's answer is the one. */
    void take(ResponseHead answer) {
        Attempt a = attempt;
        Attempts all = forwarding.attempts();
        if (a == null || all == null) {
            throw unexpected("an answer of nobody");
        }
        all.onCommit(a, answer);
        timeline.firstByte(a.answeredAt());
        answering.onHead(answer);
    }

    void onResponseBody(ByteBuf piece) {
        Tunnel t = tunnel;
        if (t == null) {
            answering.onBody(piece);
        } else {
            t.fromOrigin(piece);
        }
    }

    void onResponseBody(SplicedPiece piece) {
        answering.onBody(piece);
    }

    void onResponseEnd(HttpHeaders trailers) {
        Tunnel t = tunnel;
        if (t == null) {
            answering.onEnd(trailers);
        } else {
            t.endOfOrigin();
        }
    }

    void onOriginReadComplete() {
        answering.onReadComplete();
        downstream.flush();
    }

    void onOriginWritable() {
        if (forwarding.goOn()) {
            downstream.resumeReading();
        }
        onDownstreamReadComplete();
    }

    /** The attempt came to nothing: once more, an error answer, or, if the answer has begun, a cut. */
    void onAttemptFailed(GatewayError error) {
        Attempt failed = attempt;
        Tunnel t = tunnel;
        if (t != null && t.isClosing()) {
            // All has been said; how the origin hangs up is of no importance.
            finishTunnel();
        } else if (failed == null) {
            fail(error);
        } else {
            forwarding.onAttemptFailed(error, failed);
        }
    }

    // ---- the ends

    /** Something was done outside of any read: nobody else flushes what that brought about. */
    void onResumed() {
        if (phase != Phase.CLOSED) {
            downstream.flush();
            onDownstreamReadComplete();
        }
    }

    /** How much of its time is left, in nanoseconds; {@link Long#MAX_VALUE} if it has no limit. */
    long remaining(long now) {
        return limit == null ? Long.MAX_VALUE : limit.remaining(now);
    }

    /** Limits the exchange to {@code nanos} from now on. */
    void endWithin(long nanos) {
        ExchangeLimit l = limit;
        if (l == null) {
            l = new ExchangeLimit(this, worker.loop());
            limit = l;
        }
        l.begin(nanos);
    }

    /** Whether its time is limited already. */
    boolean isLimited() {
        return limit != null;
    }

    /** Ends the exchange with an error: answered with it, or cut off if an answer has begun. */
    void fail(GatewayError error) {
        failing().fail(error);
    }

    /** What it does about errors. */
    Failing failing() {
        Failing f = failing;
        if (f == null) {
            f = new Failing(this, worker);
            failing = f;
        }
        return f;
    }

    /** It is over, and its answer is not whole: whoever has begun to take it must see that. */
    void cutOff() {
        if (phase != Phase.CLOSED) {
            close();
            downstream.abort();
        }
    }

    /** The answer has been written to its end. */
    void finish() {
        boolean requestDone = request == Half.DONE;
        downstream.flush();
        close();
        downstream.onExchangeEnd(requestDone);
    }

    private void close() {
        endAttempt();
        Attempts all = forwarding.attempts();
        if (all != null) {
            all.close();
        }
        answering.drop();
        if (filtered != null) {
            filtered.close();
        }
        become(Phase.CLOSED);
        request = ended(request);
        response = ended(response);
        endLimit();
        timeline.ended(worker.loop().nanoTime());
        Tunnel t = tunnel;
        if (t != null) {
            record.tunnelEnd = t.close(record.error, clientEnded);
        }
        if (record.error != null && record.status == 0) {
            record.status = ErrorResponses.status(record.error.kind());
        }
        try {
            worker.observer().onClosed(this);
        } catch (RuntimeException e) {
            // Who only looks on must not keep the connection from its next request.
            mark().on(LOG.atError()).setCause(e).log("{}whoever observes exchanges has failed over this one", mark());
        }
        timeline.close(worker.filterTimes());
    }

    private void endLimit() {
        ExchangeLimit l = limit;
        if (l != null) {
            l.end();
        }
    }

    private static Half ended(Half half) {
        return half == Half.DONE ? Half.DONE : Half.ABORTED;
    }

    /** @param why if it was the origin's fault, it counts as its failure; null if nothing went wrong with it */
    void endAttempt(@Nullable GatewayError why) {
        Attempt a = attempt;
        if (a != null && why != null) {
            a.end(why);
        } else {
            endAttempt();
        }
    }

    private void endAttempt() {
        Attempt a = attempt;
        if (a != null) {
            a.end();
        }
    }

    void become(Phase next) {
        assert worker.loop().inLoop();
        phase = next;
    }

    /** The time of the loop's deadlines, which is a little behind. */
    long now() {
        return worker.loop().deadlines().now();
    }

    private IllegalStateException unexpected(String event) {
        return new IllegalStateException(
                event + " in phase " + phase + ", request " + request + ", response " + response);
    }

    RequestHead requireHead() {
        RequestHead h = head;
        if (h == null) {
            throw new IllegalStateException("no request head in phase " + phase);
        }
        return h;
    }

    // ---- what observers read

    public Phase phase() {
        return phase;
    }

    public Half request() {
        return request;
    }

    public Half response() {
        return response;
    }

    /** The request head; null if what came was not HTTP. */
    public @Nullable RequestHead head() {
        return head;
    }

    /** What lines of the application log about it begin with. */
    public LogMark mark() {
        Route route = record.route;
        return new LogMark(record.requestId, route == null ? null : route.id());
    }

    /**
     * Returns the client: the one that a trusted proxy names in the request, otherwise the peer of the connection. The port is
     * 0 if the proxy does not name it.
     */
    public InetSocketAddress client() {
        InetSocketAddress forwarded = forwardedClient;
        return forwarded == null ? downstream.peer() : forwarded;
    }

    /** Returns the PROXY protocol header for origins that require one. It names {@link #client}. */
    ProxyHeader proxyHeader() {
        InetSocketAddress forwarded = forwardedClient;
        ProxyHeader ofConnection = downstream.proxyHeader();
        return forwarded == null ? ofConnection : ofConnection.from(forwarded);
    }

    /** The answer, from when there is one. */
    public @Nullable ResponseHead answer() {
        return answering.head();
    }

    HttpHeaders requestTrailers() {
        return forwarding.trailers();
    }

    Forwarding forwarding() {
        return forwarding;
    }

    Answering answering() {
        return answering;
    }

    /** What filters have and do here; null if there are none. */
    @Nullable
    FilteredExchange filtered() {
        return filtered;
    }

    /** The filters that are for this exchange, as far as it is known by now. */
    FilterChains.RouteChains chains() {
        return chains;
    }

    void chains(FilterChains.RouteChains ofRoute) {
        chains = ofRoute;
    }

    void attempt(Attempt next) {
        attempt = next;
    }

    /** The attempt, if it has a connection and may use it. */
    @Nullable
    Attempt sending() {
        Attempt a = attempt;
        return a != null && a.isSending() ? a : null;
    }

    void response(Half come) {
        response = come;
    }

    /** The upstream that the route names; null if there is no route, or it names none. */
    @Nullable
    String upstreamOfRoute() {
        Route route = record.route;
        return route != null && route.action() instanceof RouteAction.Proxy proxy ? proxy.upstream() : null;
    }

    public Generation generation() {
        return generation;
    }

    /** Where the request was sent, or is going to be; null if it was answered on the way. */
    public @Nullable ProxyTarget target() {
        return forwarding.target();
    }

    /** What it is in a distributed trace; null if it is in none. */
    public @Nullable TraceContext traceContext() {
        return traceContext;
    }

    /** What filters keep on the exchange under {@code key}; null if they keep nothing. */
    public <T> @Nullable T attribute(AttributeKey<T> key) {
        return filtered == null ? null : filtered.attribute(key);
    }

    public Downstream downstream() {
        return downstream;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** What has been noted down on the way. */
    public ExchangeRecord record() {
        return record;
    }
}
