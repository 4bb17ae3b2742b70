package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.FilterSlot;
import dev.lychgate.filter.LogMark;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.upstream.Upstream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an exchange has and does beyond others because filters run over it: their choices of route, upstream and times,
 * and bodies that wait for them. An exchange that meets no filter has none.
 */
final class FilteredExchange implements LogMark.Source {
    private static final Logger TRACES = LoggerFactory.getLogger("dev.lychgate.trace");

    private final Exchange exchange;
    private final Worker worker;
    private final FilterRun run;
    private @Nullable FilterTrace trace;
    private @Nullable String traceField;
    private @Nullable RequestHead unreadable;
    private @Nullable FilteredBody requestBody;
    private @Nullable FilteredBody responseBody;
    private @Nullable Route route;
    private boolean rerouted;
    private @Nullable Upstream upstream;
    private long responseTimeout;
    private boolean requestBodySent;

    FilteredExchange(Exchange exchange, Worker worker) {
        this.exchange = exchange;
        this.worker = worker;
        FilterTimes times = worker.filterTimes().take();
        exchange.timeline().filters(times);
        this.run = new FilterRun(worker, this, new FilterSteps(exchange), times);
    }

    /** Runs {@code chain}; what it comes to may be told before this returns. */
    void run(FilterStage stage, FilterSlot[] chain) {
        run.run(stage, chain);
    }

    /** Has its filters noted down. @param withAnswer the field of the answer that carries the trace; null for none */
    void trace(long now, @Nullable String withAnswer) {
        FilterTrace begun = new FilterTrace(this, exchange.generation().redaction(), now);
        trace = begun;
        traceField = withAnswer;
        run.trace(begun);
    }

    /** The answer is about to be sent. */
    void traceInto(ResponseHead head) {
        if (trace != null && traceField != null) {
            head.headers().set(traceField, trace.field());
        }
    }

    /** The exchange fails: nothing is awaited from its filters any more. */
    void cancel() {
        run.cancel();
    }

    /** The exchange is over. */
    void close() {
        run.close();
        if (trace != null) {
            mark().on(TRACES.atInfo()).log("{}", trace.json());
        }
        if (requestBody != null) {
            requestBody.close();
        }
        if (responseBody != null) {
            responseBody.close();
        }
    }

    /** What it is for the exchange that a body transform has failed; counted and told, unless the transform has refused. */
    GatewayError errorOf(FilteredBody.Failure failure) {
        if (failure.cause() instanceof BodyRefusal refusal) {
            return refusal.error();
        }
        String what = run.note(failure.of(), "failed in its body transform", "", failure.cause());
        return GatewayError.internal(what, failure.cause());
    }

    <T> @Nullable T attribute(AttributeKey<T> key) {
        return key.type().cast(run.attributes().get(key));
    }

    // ---- what filters have chosen

    /** The route that filters have chosen since the last call; null if they have left that to the predicates. */
    @Nullable
    Route takeRoute() {
        Route chosen = route;
        route = null;
        return chosen;
    }

    /** {@code to}, as far as filters have not chosen otherwise; null where neither leads anywhere. */
    @Nullable
    ProxyTarget target(Route from, @Nullable ProxyTarget to) {
        Upstream chosen = upstream;
        ProxyTarget target = chosen == null
                ? to
                : ProxyTarget.of(
                        chosen.whole(), from.timeouts(), exchange.generation().policies(from));
        return target != null && responseTimeout > 0 ? target.with(responseTimeout, 0) : target;
    }

    // ---- the request's body

    /** A piece has come before the request was sent. @return whether it is taken, and kept for a filter */
    boolean takeRequestPiece(ByteBuf piece) {
        FilteredBody body = requestBody;
        if (body == null || !run.stage().changesRequest() || !run.awaitsBody()) {
            return false;
        }
        boolean fits = body.hold(piece);
        if (body.isLost()) {
            exchange.downstream().pauseReading();
        } else if (body.failure() != null) {
            run.onBody();
        } else if (!fits) {
            run.onBodyTooLong();
        }
        return true;
    }

    /** The memory for bodies that have to be whole is used up, or needed for others. */
    void onReclaim() {
        exchange.cut(
                GatewayError.local(ErrorKind.OVERLOADED, "the memory for bodies that filters need whole is used up"));
    }

    /** The request has ended before it was sent. @return whether a filter has waited for that */
    boolean takeRequestEnd(HttpHeaders trailers) {
        FilteredBody body = requestBody;
        if (body == null || !run.stage().changesRequest() || !run.awaitsBody()) {
            return false;
        }
        if (!body.isLost()) {
            body.end(trailers);
        }
        // The end may need memory as well.
        if (!body.isLost()) {
            run.onBody();
        }
        return true;
    }

    /** Makes the head say how the body goes on that filters have left. */
    void frameRequest(RequestHead head) {
        FilteredBody body = requestBody;
        if (body == null) {
            return;
        }
        if (body.isReplaced() || (body.isEnded() && body.isTransformed())) {
            byte[] bytes = body.settle();
            boolean none = bytes.length == 0 && head.framing() == BodyFraming.NONE;
            head.frame(none ? BodyFraming.NONE : BodyFraming.LENGTH, bytes.length);
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
            // A body of known length has no trailers.
            head.headers().remove(HttpHeaderNames.TRAILER);
        } else if (body.isChanged() && head.framing() != BodyFraming.NONE) {
            head.frame(BodyFraming.CHUNKED, 0);
        }
    }

    /** Whether the whole body is here. */
    boolean holdsRequestBody() {
        FilteredBody body = requestBody;
        return body != null && (body.isReplaced() || body.isEnded());
    }

    /** Sends a body that is known whole. @return false if there is none: it goes as it comes */
    boolean sendRequestBody(Attempt attempt) {
        FilteredBody body = requestBody;
        if (body == null || !holdsRequestBody()) {
            return false;
        }
        byte[] bytes = body.bytes();
        body.release();
        if (bytes.length > 0) {
            // Wrapped anew for each attempt: it may be sent again.
            attempt.sendBody(Unpooled.wrappedBuffer(bytes));
        }
        attempt.sendEnd(body.trailers());
        requestBodySent = true;
        return true;
    }

    /** Whether the end of the request has been sent already, whatever still comes. */
    boolean isRequestBodySent() {
        return requestBodySent;
    }

    // ---- the answer's body

    /** A piece has come while filters look at the answer's head. */
    void holdResponse(ByteBuf piece) {
        FilteredBody body = responseBody();
        boolean fits = body.hold(piece);
        if (body.isLost()) {
            return;
        }
        if (body.failure() != null) {
            run.onBody();
        } else if (!fits && run.awaitsBody()) {
            run.onBodyTooLong();
        }
    }

    /** The answer has ended while filters look at its head. */
    void endResponse(HttpHeaders trailers) {
        FilteredBody body = responseBody();
        if (!body.isLost()) {
            body.end(trailers);
        }
        // The end may need memory as well.
        if (!body.isLost()) {
            run.onBody();
        }
    }

    /** The answer is given up, and its body. */
    void dropResponse() {
        if (responseBody != null) {
            responseBody.close();
            responseBody = null;
        }
    }

    /** The body of the request, as far as filters have had it in hand; null if they have not. */
    @Nullable
    FilteredBody heldRequest() {
        return requestBody;
    }

    /** The body of another answer, in place of any there was. */
    FilteredBody newResponseBody() {
        dropResponse();
        return responseBody();
    }

    /** The body of the answer, as far as filters have had it in hand; null if they have not. */
    @Nullable
    FilteredBody heldResponse() {
        return responseBody;
    }

    // ---- what filters see and change

    /** The request; of what was not HTTP, a head that stands for it. */
    RequestHead requestHead() {
        RequestHead head = exchange.head();
        if (head != null) {
            return head;
        }
        RequestHead standIn = unreadable;
        if (standIn == null) {
            HttpHeaders none = DefaultHttpHeadersFactory.headersFactory().newHeaders();
            standIn = new RequestHead(HttpMethod.valueOf("-"), false, "/", null, "", none);
            unreadable = standIn;
        }
        return standIn;
    }

    /** The answer; null if there is none yet. */
    @Nullable
    ResponseHead responseHead() {
        return exchange.answer();
    }

    /** Whether the answer is a tunnel. */
    boolean isTunnelGranted() {
        ResponseHead answer = responseHead();
        return answer != null && answer.isTunnel();
    }

    @Nullable
    GatewayError error() {
        ExchangeRecord record = exchange.record();
        return record.error() == null && run.stage() == FilterStage.FALLBACK ? record.remedyFor() : record.error();
    }

    String requestId() {
        return exchange.record().requestId();
    }

    @Override
    public LogMark mark() {
        return new LogMark(requestId(), route());
    }

    long generation() {
        return exchange.generation().number();
    }

    String listener() {
        return exchange.downstream().listener();
    }

    @Nullable
    TlsSession tls() {
        return exchange.downstream().tls();
    }

    /** What it is in a distributed trace; null if it is in none. */
    @Nullable
    TraceContext trace() {
        return exchange.traceContext();
    }

    InetAddress peerAddress() {
        return exchange.downstream().peer().getAddress();
    }

    InetAddress clientAddress() {
        return exchange.client().getAddress();
    }

    @Nullable
    String route() {
        Route chosen = route != null ? route : exchange.record().route();
        return chosen == null ? null : chosen.id();
    }

    /** Chooses the route. @throws IllegalArgumentException if there is none of that id */
    void route(String id, FilterStage during) {
        if (during == FilterStage.ENDPOINT || (during == FilterStage.ROUTE && rerouted)) {
            throw new IllegalStateException("it is too late to choose another route");
        }
        Route chosen = exchange.generation().route(id);
        if (chosen == null) {
            throw new IllegalArgumentException("there is no route " + id);
        }
        rerouted = during == FilterStage.ROUTE;
        route = chosen;
    }

    @Nullable
    String upstream() {
        if (upstream != null) {
            return upstream.name();
        }
        return exchange.upstreamOfRoute();
    }

    /** Chooses the upstream. @throws IllegalArgumentException if there is none of that name */
    void upstream(String name) {
        Upstream chosen = exchange.generation().upstream(name);
        if (chosen == null) {
            throw new IllegalArgumentException("there is no upstream " + name);
        }
        upstream = chosen;
    }

    /** @param nanos how long the origin may take for its answer */
    void responseTimeout(long nanos) {
        responseTimeout = nanos;
    }

    /** @param nanos how long all of the exchange may take from now on */
    void exchangeTimeout(long nanos) {
        exchange.endWithin(nanos);
    }

    /** The body of the request, from now on in the hands of filters. */
    FilteredBody requestBody() {
        FilteredBody body = requestBody;
        if (body == null) {
            body = new FilteredBody(worker, this);
            if (exchange.request() == Half.DONE) {
                body.end(exchange.requestTrailers());
            }
            requestBody = body;
        }
        return body;
    }

    /** The body of the answer, from now on in the hands of filters. */
    FilteredBody responseBody() {
        FilteredBody body = responseBody;
        if (body == null) {
            body = new FilteredBody(worker, this);
            responseBody = body;
        }
        return body;
    }
}
