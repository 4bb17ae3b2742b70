package dev.lychgate.exchange;

import dev.lychgate.config.OnFailure;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import dev.lychgate.tls.TlsSession;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The way of an exchange's request, from its head to the origin: the route and its filters, an endpoint, a connection, and
 * then the body as it comes.
 */
final class Forwarding {
    private final Exchange exchange;
    private final Worker worker;
    private final Downstream downstream;
    private final Generation generation;
    private final ExchangeRecord record;
    private String path = "";
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private @Nullable Attempts attempts;
    private @Nullable DeadlineField deadlineField;
    /** An answer that counts as a failure, while a filter is asked for another one. */
    private @Nullable ResponseHead unwanted;

    Forwarding(Exchange exchange, Worker worker) {
        this.exchange = exchange;
        this.worker = worker;
        this.downstream = exchange.downstream();
        this.generation = exchange.generation();
        this.record = exchange.record();
    }

    // ---- the route

    /** Global filters have seen the request. */
    void route() {
        exchange.become(Phase.ROUTING);
        FilteredExchange f = exchange.filtered();
        Route chosen = f == null ? null : f.takeRoute();
        if (chosen != null) {
            enter(chosen);
            return;
        }
        RequestHead head = exchange.requireHead();
        InetAddress client = exchange.client().getAddress();
        ParameterPolicy parameters = downstream.pathParameters();
        RouteTable routes = generation.routes();
        if (parameters == ParameterPolicy.AUTO && routes.isEvasion(head, client)) {
            exchange.fail(GatewayError.downstream(ErrorKind.BAD_PATH, RouteTable.EVASION));
            return;
        }
        Route route = routes.match(head, client, parameters, worker.loop().random());
        if (route == null) {
            exchange.fail(GatewayError.downstream(ErrorKind.NO_ROUTE, "no route matches this request"));
        } else {
            enter(route);
        }
    }

    private void enter(Route route) {
        exchange.become(Phase.FILTERING_REQUEST);
        record.route = route;
        exchange.chains(generation.filters().of(route.id()));
        if (!exchange.runs(FilterStage.ROUTE, exchange.chains().inbound())) {
            onRouteFiltered();
        }
    }

    /** The route's own filters have seen the request. */
    void onRouteFiltered() {
        FilteredExchange f = exchange.filtered();
        Route another = f == null ? null : f.takeRoute();
        if (another != null) {
            enter(another);
        } else if (!exchange.runs(FilterStage.ENDPOINT, exchange.chains().endpoint())) {
            handOn();
        }
    }

    /** No filter has answered: the route does, or its upstream. */
    void handOn() {
        Route route = record.route;
        if (route == null) {
            throw new IllegalStateException("no route to hand on to");
        }
        RequestHead received = exchange.requireHead();
        ProxyTarget to = target(route);
        if (to != null) {
            proxy(received, route, to);
            return;
        }
        LocalAnswers.Answer local = LocalAnswers.of(route, received);
        if (local == null) {
            exchange.fail(GatewayError.downstream(ErrorKind.BAD_HOST, "the redirect needs a Host"));
        } else {
            exchange.answering().answer(local.head(), local.body());
        }
    }

    // ---- the connection

    /** Where filters or {@code route} send the request; null if the route answers, and no filter has chosen an upstream. */
    private @Nullable ProxyTarget target(Route route) {
        ProxyTarget to = route.action() instanceof RouteAction.Proxy ? generation.target(route) : null;
        FilteredExchange f = exchange.filtered();
        return f == null ? to : f.target(route, to);
    }

    private void proxy(RequestHead received, Route route, ProxyTarget to) {
        if (route.forwardsAmbiguous(received)) {
            exchange.fail(GatewayError.downstream(
                    ErrorKind.BAD_PATH,
                    "the path has a dot segment behind an empty one, and is forwarded as it was sent"));
            return;
        }
        int priority = to.policies().priority();
        if (worker.overload().sheds(priority)) {
            record.shed = priority;
            exchange.fail(GatewayError.local(ErrorKind.OVERLOADED, "the gateway has too much to do"));
            return;
        }
        path = route.targetPath(received);
        downstream.forwarding().apply(received, record.requestId);
        TlsSession tls = downstream.tls();
        if (tls != null) {
            exchange.generation()
                    .identityFields()
                    .apply(received.headers(), downstream.listener(), tls.clientCertificate());
        }
        String field = to.policies().deadlineHeader();
        if (field != null) {
            boolean trusted = downstream.forwarding().isTrusted();
            deadlineField = DeadlineField.take(
                    field, received, trusted, exchange.timeline().began());
        }
        limit(received, to);
        Attempts all = new Attempts(exchange, worker, to);
        attempts = all;
        all.begin();
    }

    /** The exchange may take as long as its route says, and no longer than the client of a call waits. */
    private void limit(RequestHead received, ProxyTarget to) {
        if (exchange.isLimited()) {
            return;
        }
        long byRoute = to.exchange() > 0 ? to.exchange() : Long.MAX_VALUE;
        long byClient = Grpc.timeout(received);
        long nanos = Math.min(byRoute, byClient);
        if (nanos != Long.MAX_VALUE) {
            exchange.endWithin(nanos);
        }
    }

    /** Another attempt begins. @param fresh whether a connection from the pool won't do */
    void begin(Attempt next, boolean fresh) {
        exchange.attempt(next);
        record.attempts++;
        record.endpoint = next.endpoint();
        exchange.timeline().attemptBegins(next);
        if (worker.loop().turn().begin()) {
            connect(next, fresh, exchange.filtered() != null || record.attempts > 1);
            return;
        }
        if (exchange.request() == Half.BODY) {
            downstream.pauseReading();
        }
        next.awaitTurn(fresh);
    }

    /** The loop has come to the attempt. */
    void onTurn(Attempt next, boolean fresh) {
        connect(next, fresh, true);
    }

    /** @param late whether the body may have been let wait: by filters, by the end of another attempt, or for a turn */
    private void connect(Attempt next, boolean fresh, boolean late) {
        if (next.start(fresh)) {
            forward(next, exchange.requireHead());
            if (late) {
                readBody();
            }
            return;
        }
        if (exchange.request() == Half.BODY) {
            downstream.pauseReading();
        }
        next.await(fresh);
    }

    // ---- the connection, when it is there

    /** The connection that was waited for is there. */
    void onConnection(Attempt a) {
        forward(a, exchange.requireHead());
        readBody();
    }

    private void readBody() {
        if (exchange.request() == Half.BODY) {
            downstream.resumeReading();
            exchange.onDownstreamReadComplete();
        }
    }

    private void forward(Attempt a, RequestHead received) {
        exchange.become(Phase.FORWARDING);
        FilteredExchange f = exchange.filtered();
        if (f != null) {
            f.frameRequest(received);
            FilteredBody body = f.heldRequest();
            if (body != null && exchange.failIfBroken(body)) {
                return;
            }
        }
        sendWhole(a);
        Hedge hedge = requireAttempts().hedge();
        if (hedge != null) {
            hedge.watch();
        }
    }

    /** Sends all that there is of the request by now. */
    void sendWhole(Attempt a) {
        FilteredExchange f = exchange.filtered();
        a.send(exchange.requireHead(), path, record.route);
        if (f != null && f.sendRequestBody(a)) {
            a.flush();
            return;
        }
        ByteBuf before = requireAttempts().sentBefore();
        if (before != null) {
            a.sendBody(before);
        }
        if (waiting() != null) {
            goOn();
        } else if (exchange.request() == Half.DONE) {
            a.sendEnd(trailers);
            a.flush();
        }
    }

    /** The attempt came to nothing: once more, or the exchange fails. */
    void onAttemptFailed(GatewayError error, Attempt failed) {
        boolean open = exchange.phase() == Phase.FORWARDING || exchange.phase() == Phase.CONNECTING;
        if (!open) {
            exchange.fail(error);
        } else if (!requireAttempts().onFailed(failed, error)) {
            giveUp(error);
        }
    }

    /** No attempt is left, and none has brought an answer: the route's fallback, or an error. */
    void giveUp(GatewayError error) {
        if (!fallsBack(error, null)) {
            if (record.remedy == null && error.side() != Side.DOWNSTREAM) {
                record.remedy = OnFailure.Remedy.FAIL_FAST;
                record.failure = error;
            }
            exchange.fail(error);
        }
    }

    /**
     * Does what the route does when all has failed.
     *
     * @param error why; null if there was an answer that counts as a failure
     * @param answer that answer
     * @return whether it does anything
     */
    boolean fallsBack(@Nullable GatewayError error, @Nullable ResponseHead answer) {
        Route route = record.route;
        boolean ofTheClient = error != null && error.side() == Side.DOWNSTREAM;
        if (route == null || record.remedy != null || ofTheClient) {
            return false;
        }
        OnFailure onFailure = requireAttempts().target().policies().onFailure();
        if (onFailure.filter() != null) {
            askFilter(error, answer);
            return true;
        }
        RouteAction instead = onFailure.instead();
        if (instead == null) {
            return false;
        }
        ProxyTarget other = generation.fallback(route);
        if (other != null && !requireAttempts().mayTurn(error)) {
            return false;
        }
        record.remedy = onFailure.remedy();
        record.failure = error;
        exchange.endAttempt(error);
        if (other != null) {
            requireAttempts().turnTo(other);
        } else if (instead instanceof RouteAction.Respond respond) {
            requireAttempts().giveUp();
            LocalAnswers.Answer fixed = LocalAnswers.of(respond);
            exchange.answering().answer(fixed.head(), fixed.body());
        }
        return true;
    }

    private void askFilter(@Nullable GatewayError error, @Nullable ResponseHead answer) {
        record.remedy = OnFailure.Remedy.FILTER;
        record.failure = error;
        unwanted = answer;
        if (answer == null) {
            exchange.endAttempt(error);
        }
        requireAttempts().giveUp();
        // As long as the filter may still leave it at that, the answer waits as it does for outbound filters.
        exchange.become(answer == null ? Phase.FILTERING_REQUEST : Phase.FILTERING_RESPONSE);
        if (!exchange.runs(FilterStage.FALLBACK, exchange.chains().fallback())) {
            onNoFallback();
        }
    }

    /** The filter that was to answer when all had failed has not: what it was asked for is the end of it. */
    void onNoFallback() {
        record.remedy = OnFailure.Remedy.FAIL_FAST;
        ResponseHead answer = unwanted;
        GatewayError error = record.failure;
        if (answer != null) {
            unwanted = null;
            exchange.take(answer);
        } else if (error != null) {
            exchange.fail(error);
        }
    }

    private Attempts requireAttempts() {
        Attempts all = attempts;
        if (all == null) {
            throw new IllegalStateException("an attempt without attempts");
        }
        return all;
    }

    /** What tells origins how long they have; null if nothing does. */
    @Nullable
    DeadlineField deadlineField() {
        return deadlineField;
    }

    /** The attempts, from when there are any. */
    @Nullable
    Attempts attempts() {
        return attempts;
    }

    // ---- the body

    /** A piece of the body has come; it is owned here. */
    void onBody(ByteBuf piece) {
        Attempt a = exchange.sending();
        FilteredExchange f = exchange.filtered();
        boolean wanted = exchange.request() == Half.BODY;
        if (wanted && f != null && f.takeRequestPiece(piece)) {
            return;
        }
        if (!wanted || a == null) {
            // Answered early, or given up: nobody wants the rest.
            piece.release();
            return;
        }
        if (f != null && f.isRequestBodySent()) {
            piece.release();
            return;
        }
        FilteredBody body = f == null ? null : f.heldRequest();
        if (body == null) {
            send(a, piece);
        } else {
            body.hold(piece);
            if (!relay(a, body)) {
                return;
            }
        }
        if (!a.isWritable()) {
            downstream.pauseReading();
        }
    }

    /** Sends what is held, as far as the origin takes it. @return false if the exchange has failed by that */
    private boolean relay(Attempt a, FilteredBody body) {
        boolean waits = false;
        while (!waits) {
            ByteBuf piece = body.next();
            if (piece == null) {
                break;
            }
            sendOrDrop(a, piece);
            waits = !a.isWritable() && body.hasMore();
        }
        return !exchange.failIfBroken(body);
    }

    /** The body is whole. */
    void onEnd(HttpHeaders last) {
        trailers = last;
        Attempt a = exchange.sending();
        FilteredExchange f = exchange.filtered();
        if (f != null && f.takeRequestEnd(last)) {
            return;
        }
        if (a == null || (f != null && f.isRequestBodySent())) {
            return;
        }
        end(a);
    }

    /** Ends the request, unless something of it waits still. */
    private void end(Attempt a) {
        FilteredExchange f = exchange.filtered();
        FilteredBody body = f == null ? null : f.heldRequest();
        if (body != null && body.isTransformed()) {
            if (body.hasNext()) {
                return;
            }
            ByteBuf tail = body.tail();
            if (exchange.failIfBroken(body)) {
                return;
            }
            sendOrDrop(a, tail);
        }
        a.sendEnd(trailers);
        Hedge hedge = requireAttempts().hedge();
        if (hedge != null) {
            hedge.watch();
        }
    }

    /** The origin takes more: what waits of the body goes first. @return whether the client may send more */
    boolean goOn() {
        Attempt a = exchange.sending();
        FilteredBody body = waiting();
        if (a == null || body == null) {
            return true;
        }
        if (!relay(a, body)) {
            return false;
        }
        if (body.hasNext()) {
            return false;
        }
        if (exchange.request() == Half.DONE) {
            end(a);
        }
        return true;
    }

    /** Whether some of the body that has come has not been sent yet, as the origin takes no more. */
    boolean hasUnsent() {
        return waiting() != null;
    }

    /** The request's body, if some of it that has come has not been sent yet; null if all has. */
    private @Nullable FilteredBody waiting() {
        FilteredExchange f = exchange.filtered();
        FilteredBody body = f == null || f.isRequestBodySent() ? null : f.heldRequest();
        return body != null && body.hasNext() ? body : null;
    }

    /** A transform may have kept all of a piece. */
    private void sendOrDrop(Attempt a, ByteBuf piece) {
        if (piece.isReadable()) {
            send(a, piece);
        } else {
            piece.release();
        }
    }

    private void send(Attempt a, ByteBuf piece) {
        requireAttempts().onBody(piece);
        a.sendBody(piece);
    }

    /** Whether filters hold the whole body, which can be sent as often as one likes. */
    boolean holdsBody() {
        FilteredExchange f = exchange.filtered();
        return f != null && f.holdsRequestBody();
    }

    /** Where the request goes; null if that is not known, or nowhere. */
    @Nullable
    ProxyTarget target() {
        Attempts all = attempts;
        return all == null ? null : all.target();
    }

    HttpHeaders trailers() {
        return trailers;
    }

    /** A filter needs the whole body. */
    void readWholeBody() {
        RequestHead received = exchange.requireHead();
        if (received.headers().contains(HttpHeaderNames.EXPECT)) {
            // The origin is not asked yet, and the client waits for leave (RFC 9110, 10.1.1).
            received.headers().remove(HttpHeaderNames.EXPECT);
            downstream.writeInformational(new ResponseHead(100, EmptyHttpHeaders.INSTANCE));
            downstream.flush();
        }
        downstream.resumeReading();
    }
}
