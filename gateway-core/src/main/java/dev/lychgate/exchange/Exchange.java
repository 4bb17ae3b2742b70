package dev.lychgate.exchange;

import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.ErrorResponses;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.FilterChains;
import dev.lychgate.filter.FilterSlot;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.Deadline;
import dev.lychgate.resilience.StaleConnectionRule;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
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
    private String path = "";
    private HttpHeaders requestTrailers = EmptyHttpHeaders.INSTANCE;
    private @Nullable ProxyTarget target;
    private @Nullable Attempt attempt;
    private @Nullable Deadline deadline;
    private boolean bodyBegun;
    private @Nullable ResponseHead answer;
    /** What is answered without an origin, until it is sent. */
    private @Nullable ByteBuf localBody;

    private FilterChains.RouteChains chains;
    private @Nullable FilteredExchange filtered;
    private boolean errorFiltersRan;
    /** An outbound filter has answered, or failed: the answer to that is not for outbound filters. */
    private boolean outboundOver;

    public Exchange(Worker worker, Downstream downstream) {
        assert worker.loop().inLoop();
        this.worker = worker;
        this.downstream = downstream;
        this.generation = worker.generation();
        this.chains = generation.filters().of(null);
        this.timeline = new Timeline(worker.loop().nanoTime());
        record.requestId = worker.nextRequestId();
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
            answer(last.head(), last.body());
            return;
        }
        filter(FilterStage.GLOBAL, generation.filters().inbound());
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

    private void accept(RequestHead received) {
        head = received;
        record.requestId = downstream.forwarding().requestId(received, record.requestId);
        boolean empty = received.framing() == BodyFraming.NONE
                || (received.framing() == BodyFraming.LENGTH && received.contentLength() == 0);
        request = empty ? Half.DONE : Half.BODY;
    }

    /** A piece of the request body; the exchange owns it. */
    public void onRequestBody(ByteBuf piece) {
        record.requestBytes += piece.readableBytes();
        Attempt a = attempt;
        FilteredExchange f = filtered;
        if (request == Half.BODY && f != null && f.takeRequestPiece(piece)) {
            return;
        }
        if (request != Half.BODY || a == null || !a.isSending()) {
            // Answered early, or given up: nobody wants the rest.
            piece.release();
            return;
        }
        ByteBuf changed = f == null ? piece : f.changeRequest(piece);
        if (changed == null) {
            return;
        }
        bodyBegun = true;
        a.sendBody(changed);
        if (!a.isWritable()) {
            downstream.pauseReading();
        }
    }

    /** The request is whole. */
    public void onRequestEnd(HttpHeaders trailers) {
        if (request != Half.BODY) {
            return;
        }
        request = Half.DONE;
        requestTrailers = trailers;
        Attempt a = attempt;
        FilteredExchange f = filtered;
        if (f != null && f.takeRequestEnd(trailers)) {
            return;
        }
        if (a != null && a.isSending() && (f == null || !f.isRequestBodySent())) {
            ByteBuf tail = f == null ? null : f.requestTail();
            if (tail != null) {
                a.sendBody(tail);
            }
            a.sendEnd(trailers);
        }
    }

    /** All that one read from the client brought has been told. */
    public void onDownstreamReadComplete() {
        Attempt a = attempt;
        if (a != null && a.isSending()) {
            a.flush();
        }
    }

    /** The client takes more of the answer again. */
    public void onDownstreamWritable() {
        Attempt a = attempt;
        if (a != null && a.isSending()) {
            a.resumeReading();
        }
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
        record.error = error;
        close();
    }

    // ---- the way of the request

    private void filter(FilterStage stage, FilterSlot[] chain) {
        if (chain.length == 0) {
            onFiltered(stage);
            return;
        }
        filtering().run(stage, chain);
    }

    private FilteredExchange filtering() {
        FilteredExchange f = filtered;
        if (f == null) {
            f = new FilteredExchange(this, worker);
            filtered = f;
        }
        return f;
    }

    void onFiltered(FilterStage stage) {
        switch (stage) {
            case GLOBAL -> route(requireHead());
            case ROUTE -> onRouteFiltered();
            case ENDPOINT -> handOn(requireHead());
            case ERROR -> answerError();
            case OUTBOUND -> deliver();
        }
    }

    private void route(RequestHead received) {
        become(Phase.ROUTING);
        Route chosen = filtered == null ? null : filtered.takeRoute();
        Route route = chosen != null
                ? chosen
                : generation
                        .routes()
                        .match(
                                received,
                                downstream.clientAddress(),
                                worker.loop().random());
        if (route == null) {
            fail(GatewayError.downstream(ErrorKind.NO_ROUTE, "no route matches this request"));
        } else {
            enter(route);
        }
    }

    private void enter(Route route) {
        become(Phase.FILTERING_REQUEST);
        record.route = route;
        chains = generation.filters().of(route.id());
        filter(FilterStage.ROUTE, chains.inbound());
    }

    private void onRouteFiltered() {
        Route another = filtered == null ? null : filtered.takeRoute();
        if (another != null) {
            enter(another);
        } else {
            filter(FilterStage.ENDPOINT, chains.endpoint());
        }
    }

    private void handOn(RequestHead received) {
        Route route = requireRoute();
        if (route.action() instanceof RouteAction.Proxy) {
            proxy(received, route);
            return;
        }
        LocalAnswers.Answer local = LocalAnswers.of(route, received);
        if (local == null) {
            fail(GatewayError.downstream(ErrorKind.BAD_HOST, "the redirect needs a Host"));
        } else {
            answer(local.head(), local.body());
        }
    }

    private void proxy(RequestHead received, Route route) {
        ProxyTarget to = generation.target(route);
        if (filtered != null) {
            to = filtered.target(route, to);
        }
        target = to;
        path = route.targetPath(received);
        downstream.forwarding().apply(received, record.requestId);
        if (to.exchange() > 0 && deadline == null) {
            endWithin(to.exchange());
        }
        connect(to, null);
    }

    /** Limits the exchange to {@code nanos} from now on. */
    void endWithin(long nanos) {
        Deadline d = deadline;
        if (d == null) {
            d = new ExchangeDeadline();
            deadline = d;
        }
        worker.loop().deadlines().arm(d, nanos);
    }

    private void connect(ProxyTarget to, @Nullable Attempt failed) {
        become(Phase.CONNECTING);
        RequestHead received = requireHead();
        Endpoint endpoint = to.upstream()
                .balancer(worker.loop().index())
                .choose(received, failed == null ? null : failed.endpoint());
        if (endpoint == null) {
            fail(GatewayError.local(ErrorKind.NO_ENDPOINT, "the upstream has no endpoint that may be used"));
            return;
        }
        Attempt next = new Attempt(this, to, endpoint, worker.endpointPools().of(to.upstream(), endpoint));
        attempt = next;
        record.attempts++;
        record.endpoint = endpoint;
        timeline.attemptBegins();
        boolean freshOnly = failed != null;
        if (next.start(freshOnly)) {
            timeline.connectionAtHand();
            forward(next, received);
            if (filtered != null && request == Half.BODY) {
                // Filters may have let it wait.
                downstream.resumeReading();
                onDownstreamReadComplete();
            }
            return;
        }
        timeline.connectionWanted(worker.loop().nanoTime());
        if (request == Half.BODY) {
            downstream.pauseReading();
        }
        next.await(freshOnly);
    }

    /** The connection that was waited for is there. */
    void onConnection() {
        Attempt a = attempt;
        if (phase != Phase.CONNECTING || a == null) {
            throw unexpected("a connection");
        }
        timeline.connected(worker.loop().nanoTime(), a.connectNanos());
        forward(a, requireHead());
        if (request == Half.BODY) {
            downstream.resumeReading();
            onDownstreamReadComplete();
        }
    }

    private void forward(Attempt a, RequestHead received) {
        become(Phase.FORWARDING);
        FilteredExchange f = filtered;
        if (f != null) {
            f.frameRequest(received);
        }
        a.send(received, path, record.route);
        if (f != null && f.sendRequestBody(a)) {
            a.flush();
        } else if (request == Half.DONE) {
            a.sendEnd(requestTrailers);
            a.flush();
        }
    }

    // ---- the way of the answer

    void onInformational(ResponseHead interim) {
        RequestHead received = requireHead();
        // HTTP/1.0 knows no interim answers (RFC 9110, 15.2).
        if (phase == Phase.FORWARDING && !received.isHttp10()) {
            downstream.writeInformational(interim);
            downstream.flush();
            pauseOriginIfClientIsSlow();
        }
    }

    void onResponseHead(ResponseHead answer) {
        if (phase != Phase.FORWARDING) {
            throw unexpected("a response head");
        }
        timeline.firstByte = worker.loop().nanoTime();
        commit(answer);
    }

    private void commit(ResponseHead head) {
        become(Phase.FILTERING_RESPONSE);
        answer = head;
        if (outboundOver) {
            deliver();
        } else {
            filter(FilterStage.OUTBOUND, chains.outbound());
        }
    }

    /** Nothing is left that could change the answer. */
    private void deliver() {
        ResponseHead head = answer;
        if (head == null) {
            throw unexpected("no answer to deliver");
        }
        FilteredExchange f = filtered;
        if (f != null) {
            f.frameResponse(head, isHead());
        }
        become(Phase.RELAYING);
        response = Half.BODY;
        record.status = head.status();
        downstream.writeHead(head);
        FilteredBody held = f == null ? null : f.heldResponse();
        if (held != null) {
            deliverHeld(head, held);
        } else if (localBody != null) {
            ByteBuf body = localBody;
            localBody = null;
            writeOrDrop(head, body);
            endResponse(EmptyHttpHeaders.INSTANCE);
        }
    }

    private void deliverHeld(ResponseHead head, FilteredBody held) {
        if (held.isReplaced()) {
            held.release();
            writeOrDrop(head, Unpooled.wrappedBuffer(held.bytes()));
            endResponse(EmptyHttpHeaders.INSTANCE);
            return;
        }
        for (ByteBuf piece = held.next(); piece != null; piece = held.next()) {
            writeOrDrop(head, piece);
        }
        if (held.isEnded()) {
            endResponse(held.trailers());
        } else {
            readResponseBody();
        }
    }

    private void writeOrDrop(ResponseHead head, ByteBuf piece) {
        if (head.framing() == BodyFraming.NONE) {
            piece.release();
        } else {
            record.responseBytes += piece.readableBytes();
            downstream.writeBody(piece);
        }
    }

    private void endResponse(HttpHeaders trailers) {
        response = Half.DONE;
        downstream.writeEnd(trailers);
        finish();
    }

    void onResponseBody(ByteBuf piece) {
        FilteredExchange f = filtered;
        if (f != null && phase == Phase.FILTERING_RESPONSE) {
            f.holdResponse(piece);
            return;
        }
        FilteredBody body = f == null ? null : f.heldResponse();
        ByteBuf changed = body == null ? piece : body.change(piece);
        record.responseBytes += changed.readableBytes();
        downstream.writeBody(changed);
        pauseOriginIfClientIsSlow();
    }

    private void pauseOriginIfClientIsSlow() {
        Attempt a = attempt;
        if (a != null && a.isSending() && !downstream.isWritable()) {
            a.pauseReading();
        }
    }

    void onResponseEnd(HttpHeaders trailers) {
        FilteredExchange f = filtered;
        if (f != null && phase == Phase.FILTERING_RESPONSE) {
            f.endResponse(trailers);
            return;
        }
        FilteredBody body = f == null ? null : f.heldResponse();
        if (body != null && body.isTransformed()) {
            ByteBuf tail = body.tail();
            record.responseBytes += tail.readableBytes();
            downstream.writeBody(tail);
        }
        endResponse(trailers);
    }

    void onOriginReadComplete() {
        downstream.flush();
    }

    void onOriginWritable() {
        downstream.resumeReading();
        onDownstreamReadComplete();
    }

    /** The attempt came to nothing: once more, an error answer, or, if the answer has begun, a cut. */
    void onAttemptFailed(GatewayError error) {
        Attempt failed = attempt;
        RequestHead received = requireHead();
        ProxyTarget to = target;
        if (failed != null
                && to != null
                && phase == Phase.FORWARDING
                && StaleConnectionRule.sendsAgain(
                        error, failed.isReused(), record.attempts, received.method(), bodyBegun)) {
            failed.end();
            connect(to, failed);
        } else {
            fail(error);
        }
    }

    // ---- what filters bring about

    void onFilterWaits(FilterStage stage) {
        if (stage == FilterStage.OUTBOUND) {
            Attempt a = attempt;
            if (a != null && a.isSending()) {
                a.pauseReading();
            }
        } else if (request == Half.BODY) {
            downstream.pauseReading();
        }
    }

    /** A filter needs the whole request. */
    void readRequestBody() {
        RequestHead received = requireHead();
        if (received.headers().contains(HttpHeaderNames.EXPECT)) {
            // The origin is not asked yet, and the client waits for leave (RFC 9110, 10.1.1).
            received.headers().remove(HttpHeaderNames.EXPECT);
            downstream.writeInformational(new ResponseHead(100, EmptyHttpHeaders.INSTANCE));
            downstream.flush();
        }
        downstream.resumeReading();
    }

    /** More of the answer may come: its filters need it, or have done with it. */
    void readResponseBody() {
        Attempt a = attempt;
        if (a != null && a.isSending()) {
            a.resumeReading();
        }
    }

    void onFilterAnswer(FilterStage stage, ResponseHead head, ByteBuf body) {
        if (stage == FilterStage.OUTBOUND) {
            outboundOver = true;
            endAttempt();
            dropAnswer();
        }
        answer(head, body);
    }

    void onFilterFailure(FilterStage stage, GatewayError error) {
        outboundOver |= stage == FilterStage.OUTBOUND;
        errorFiltersRan |= stage == FilterStage.ERROR;
        fail(error);
    }

    /** Filters have run outside of any read: nobody else flushes what they brought about. */
    void onFilterResumed() {
        if (phase != Phase.CLOSED) {
            downstream.flush();
            onDownstreamReadComplete();
        }
    }

    private void dropAnswer() {
        ByteBuf body = localBody;
        localBody = null;
        if (body != null) {
            body.release();
        }
        if (filtered != null) {
            filtered.dropResponse();
        }
    }

    // ---- the ends

    /** Answers without an origin. */
    private void answer(ResponseHead head, ByteBuf body) {
        LocalAnswers.frame(head, body.readableBytes(), isHead());
        if (filtered != null || (chains.outbound().length > 0 && !outboundOver)) {
            FilteredBody held = filtering().newResponseBody();
            held.hold(body);
            held.end(EmptyHttpHeaders.INSTANCE);
        } else {
            localBody = body;
        }
        commit(head);
    }

    private boolean isHead() {
        RequestHead received = head;
        return received != null && received.method().equals(HttpMethod.HEAD);
    }

    private void fail(GatewayError error) {
        if (phase == Phase.CLOSED) {
            return;
        }
        record.error = error;
        if (error.kind() == ErrorKind.INTERNAL) {
            LOG.error("{} {}", record.requestId, error.detail(), error.cause());
        }
        if (filtered != null) {
            filtered.cancel();
        }
        endAttempt();
        if (phase == Phase.RELAYING) {
            close();
            downstream.abort();
            return;
        }
        dropAnswer();
        if (errorFiltersRan) {
            answerError();
        } else {
            errorFiltersRan = true;
            filter(FilterStage.ERROR, chains.error());
        }
    }

    private void answerError() {
        GatewayError error = record.error;
        if (error == null) {
            throw unexpected("no error to answer");
        }
        ByteBuf body = ErrorResponses.body(error, record.requestId, downstream.allocator());
        answer(ErrorResponses.head(error, body.readableBytes()), body);
    }

    private void finish() {
        boolean requestDone = request == Half.DONE;
        downstream.flush();
        close();
        downstream.onExchangeEnd(requestDone);
    }

    private void close() {
        endAttempt();
        dropAnswer();
        if (filtered != null) {
            filtered.close();
        }
        become(Phase.CLOSED);
        request = ended(request);
        response = ended(response);
        Deadline d = deadline;
        if (d != null) {
            worker.loop().deadlines().remove(d);
        }
        timeline.ended = worker.loop().nanoTime();
        if (record.error != null && record.status == 0) {
            record.status = ErrorResponses.status(record.error.kind());
        }
        worker.observer().onClosed(this);
    }

    private static Half ended(Half half) {
        return half == Half.DONE ? Half.DONE : Half.ABORTED;
    }

    private void endAttempt() {
        Attempt a = attempt;
        if (a != null) {
            a.end();
        }
    }

    private void become(Phase next) {
        assert worker.loop().inLoop();
        phase = next;
    }

    private IllegalStateException unexpected(String event) {
        return new IllegalStateException(
                event + " in phase " + phase + ", request " + request + ", response " + response);
    }

    private Route requireRoute() {
        Route route = record.route;
        if (route == null) {
            throw new IllegalStateException("no route in phase " + phase);
        }
        return route;
    }

    private RequestHead requireHead() {
        RequestHead h = head;
        if (h == null) {
            throw new IllegalStateException("no request head in phase " + phase);
        }
        return h;
    }

    private final class ExchangeDeadline extends Deadline {
        @Override
        protected void onDeadline() {
            fail(new GatewayError(
                    ErrorKind.EXCHANGE_TIMEOUT,
                    Side.UPSTREAM,
                    dev.lychgate.error.Retry.NEVER,
                    "the exchange took longer than it may",
                    null));
        }
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

    /** The answer, from when there is one. */
    @Nullable
    ResponseHead answer() {
        return answer;
    }

    HttpHeaders requestTrailers() {
        return requestTrailers;
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
        return target;
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
