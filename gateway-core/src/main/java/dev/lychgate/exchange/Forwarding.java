package dev.lychgate.exchange;

import dev.lychgate.config.RouteAction;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.resilience.StaleConnectionRule;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.BalanceContext;
import dev.lychgate.upstream.Endpoint;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way of an exchange's request, from its head to the origin: the route and its filters, an endpoint, a connection, and
 * then the body as it comes.
 */
final class Forwarding implements BalanceContext {
    private final Exchange exchange;
    private final Worker worker;
    private final Downstream downstream;
    private final Generation generation;
    private final ExchangeRecord record;
    private String path = "";
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private @Nullable ProxyTarget target;
    private boolean bodyBegun;
    private List<Endpoint> tried = List.of();

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
        Route route = chosen != null
                ? chosen
                : generation
                        .routes()
                        .match(
                                exchange.requireHead(),
                                downstream.clientAddress(),
                                worker.loop().random());
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
        target = to;
        path = route.targetPath(received);
        downstream.forwarding().apply(received, record.requestId);
        if (to.exchange() > 0 && !exchange.isLimited()) {
            exchange.endWithin(to.exchange());
        }
        connect(to, null);
    }

    private void connect(ProxyTarget to, @Nullable Attempt failed) {
        exchange.become(Phase.CONNECTING);
        RequestHead received = exchange.requireHead();
        if (failed != null) {
            noteTried(failed.endpoint());
        }
        Endpoint endpoint = worker.balancers().of(to.subset()).choose(this);
        if (endpoint == null) {
            exchange.fail(GatewayError.local(ErrorKind.NO_ENDPOINT, "the upstream has no endpoint that may be used"));
            return;
        }
        Attempt next = new Attempt(exchange, worker, to, endpoint);
        exchange.attempt(next);
        record.attempts++;
        record.endpoint = endpoint;
        Timeline timeline = exchange.timeline();
        timeline.attemptBegins();
        boolean freshOnly = failed != null;
        if (next.start(freshOnly)) {
            timeline.connectionAtHand();
            forward(next, received);
            if (exchange.filtered() != null) {
                // They may have let it wait.
                readBody();
            }
            return;
        }
        timeline.connectionWanted(worker.loop().nanoTime());
        if (exchange.request() == Half.BODY) {
            downstream.pauseReading();
        }
        next.await(freshOnly);
    }

    private void noteTried(Endpoint endpoint) {
        if (tried.isEmpty()) {
            tried = new ArrayList<>(2);
        }
        tried.add(endpoint);
    }

    // ---- what a balancer asks

    @Override
    public RequestHead head() {
        return exchange.requireHead();
    }

    @Override
    public InetAddress clientAddress() {
        return downstream.clientAddress();
    }

    @Override
    public boolean isFirst() {
        return tried.isEmpty();
    }

    @Override
    public boolean tried(Endpoint endpoint) {
        return tried.contains(endpoint);
    }

    // ---- the connection, when it is there

    /** The connection that was waited for is there. */
    void onConnection(Attempt a) {
        exchange.timeline().connected(worker.loop().nanoTime(), a.connectNanos());
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
        a.send(received, path, record.route);
        if (f != null && f.sendRequestBody(a)) {
            a.flush();
        } else if (exchange.request() == Half.DONE) {
            a.sendEnd(trailers);
            a.flush();
        }
    }

    /** The attempt came to nothing: once more, or the exchange fails. */
    void onAttemptFailed(GatewayError error, Attempt failed) {
        RequestHead received = exchange.requireHead();
        ProxyTarget to = target;
        if (to != null
                && exchange.phase() == Phase.FORWARDING
                && StaleConnectionRule.sendsAgain(
                        error, failed.isReused(), record.attempts, received.method(), bodyBegun)) {
            failed.end();
            connect(to, failed);
        } else {
            exchange.fail(error);
        }
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
        ByteBuf changed = f == null ? piece : changed(f, piece);
        if (changed == null) {
            return;
        }
        bodyBegun = true;
        a.sendBody(changed);
        if (!a.isWritable()) {
            downstream.pauseReading();
        }
    }

    private @Nullable ByteBuf changed(FilteredExchange f, ByteBuf piece) {
        ByteBuf changed = f.changeRequest(piece);
        FilteredBody body = f.heldRequest();
        return body != null && exchange.failIfBroken(body) ? null : changed;
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
        FilteredBody body = f == null ? null : f.heldRequest();
        if (body != null && body.isTransformed()) {
            ByteBuf tail = body.tail();
            if (exchange.failIfBroken(body)) {
                return;
            }
            a.sendBody(tail);
        }
        a.sendEnd(last);
    }

    /** Where the request goes; null if that is not known, or nowhere. */
    @Nullable
    ProxyTarget target() {
        return target;
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
