package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.client.Ban;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Completion;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Upstream;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state that the filters of one exchange read and change: heads, bodies, attributes, and their choice of route, upstream
 * and timeouts; and the running filter. Used on the exchange's event loop and, while a filter runs, on that filter's
 * thread.
 */
final class FilterContext implements FilterSubject {
    private final ExchangeState state;
    private final FilterLoop loop;
    private final FilterHost host;
    private @Nullable RequestHead standIn;
    private @Nullable RequestHead original;
    private @Nullable FilteredBody requestBody;
    private @Nullable FilteredBody responseBody;
    private @Nullable FilterChoices choices;
    private @Nullable Map<AttributeKey<?>, Object> attributes;
    private @Nullable CompletionActions completion;
    private @Nullable FilterCalls calls;
    private FilterStage stage = FilterStage.GLOBAL;
    private @Nullable FilterSlot slot;
    /** Whether the filter that runs has needed the body of this exchange. */
    private boolean bodyNeeded;
    /** Whether a filter is called on the event loop. */
    private boolean turn;

    FilterContext(ExchangeState state, FilterLoop loop, FilterHost host) {
        this.state = state;
        this.loop = loop;
        this.host = host;
    }

    // ---- the filter that runs

    FilterStage stage() {
        return stage;
    }

    void stage(FilterStage next) {
        stage = next;
    }

    /** Returns the filter that runs, or ran last. */
    FilterSlot slot() {
        FilterSlot s = slot;
        if (s == null) {
            throw new IllegalStateException("no filter is running");
        }
        return s;
    }

    /** {@code next} runs from now on. */
    void slot(FilterSlot next) {
        slot = next;
        bodyNeeded = false;
    }

    boolean isBodyNeeded() {
        return bodyNeeded;
    }

    void bodyNeeded() {
        bodyNeeded = true;
    }

    /** A filter is called on the event loop, or has returned. */
    void turn(boolean begins) {
        turn = begins;
    }

    /** Returns whether the caller is a filter on the event loop that has its turn. */
    boolean hasTurn() {
        return turn && loop.loop().inLoop();
    }

    /** Returns the values that filters keep on the exchange. */
    Map<AttributeKey<?>, Object> attributes() {
        Map<AttributeKey<?>, Object> kept = attributes;
        if (kept == null) {
            kept = new HashMap<>();
            attributes = kept;
        }
        return kept;
    }

    // ---- bodies

    /** Returns the body of the message of the stage. */
    private FilteredBody body() {
        return stage.changesRequest() ? requestBody() : responseBody();
    }

    /** Prepares the whole body for {@code filter}. Returns the outcome in its place if it may not run; null if it may. */
    @Nullable
    FilterOutcome refuseBody(FilterSlot filter) {
        if (isOfTunnel()) {
            return null;
        }
        FilteredBody body = body();
        if (body.flow() != null) {
            throw new IllegalStateException("the filter needs the whole body, which passes through a publisher");
        }
        boolean fits = body.limitTo(filter.bodyLimit());
        FilterOutcome failure = transformFailure();
        if (failure != null) {
            return failure;
        }
        // The client does not receive a 100 for a body that will be refused.
        boolean isAnnouncedLonger =
                stage.changesRequest() && requestHead().contentLength() > filter.bodyLimit() && !hasWholeBody();
        return !fits || isAnnouncedLonger ? tooLong(filter) : null;
    }

    /** Returns whether the whole body is held, so that a filter need not wait for it. */
    boolean hasWholeBody() {
        return isOfTunnel() || (!body().isLost() && (body().isEnded() || body().isReplaced()));
    }

    /** The bytes of a tunnel have no end that could be awaited, and are no body. */
    private boolean isOfTunnel() {
        return !stage.changesRequest() && isTunnelGranted();
    }

    /** Returns the outcome if a transform of the body has failed; null if none has. */
    @Nullable
    FilterOutcome transformFailure() {
        TransformChain.Failure failure = body().failure();
        return failure == null ? null : new FilterOutcome.Fail(FilterFailures.ofTransform(loop, this, failure));
    }

    /** Returns the outcome if the body is longer than {@code filter} permits. */
    FilterOutcome tooLong(FilterSlot filter) {
        return stage.changesRequest()
                ? new FilterOutcome.Fail(GatewayError.downstream(
                        ErrorKind.BODY_TOO_LARGE, "the request body is longer than " + filter.bodyLimit() + " bytes"))
                : FilterFailures.of(loop, this, filter, "needs a body that exceeds its limit", null);
    }

    /** Returns the body of the request, from now on under the control of filters. */
    FilteredBody requestBody() {
        FilteredBody body = requestBody;
        if (body == null) {
            body = new FilteredBody(loop, this, this::onReclaim);
            if (state.request() == Half.DONE) {
                body.end(state.requestTrailers());
            }
            requestBody = body;
        }
        return body;
    }

    /** Returns the body of the response, from now on under the control of filters. */
    FilteredBody responseBody() {
        FilteredBody body = responseBody;
        if (body == null) {
            body = new FilteredBody(loop, this, this::onReclaim);
            responseBody = body;
        }
        return body;
    }

    /** The memory for bodies that filters hold or decode is used up, or needed for others. */
    private void onReclaim() {
        host.fail(TransformChain.refusal());
    }

    /** Returns the body of the request; null if no filter has requested control over it. */
    @Nullable
    FilteredBody heldRequest() {
        return requestBody;
    }

    /** Returns the body of the response; null if no filter has requested control over it. */
    @Nullable
    FilteredBody heldResponse() {
        return responseBody;
    }

    /** The response is discarded, and its body. */
    void dropResponse() {
        FilteredBody body = responseBody;
        if (body != null) {
            body.close();
            responseBody = null;
        }
    }

    void close() {
        if (requestBody != null) {
            requestBody.close();
        }
        if (responseBody != null) {
            responseBody.close();
        }
    }

    // ---- the end

    /** Calls {@code action} of filter {@code of} when the exchange has ended. */
    void onCompleted(FilterSlot of, Consumer<? super Completion> action) {
        completion = completion == null ? new CompletionActions() : completion;
        completion.add(of, action);
    }

    /** The exchange has ended, and its record is complete. */
    void completed() {
        if (completion != null) {
            completion.run(loop, state, this);
        }
    }

    /** Runs {@code task} on the event loop, immediately if that is the current thread. */
    void onLoop(Runnable task) {
        loop.loop().onLoop(task);
    }

    /** Returns the call-outs of the exchange. On its event loop, so that they have one owner. */
    FilterCalls calls() {
        calls = calls == null ? new FilterCalls(loop, host, this) : calls;
        return calls;
    }

    /** Ends the call-outs of a filter that has decided or was abandoned. */
    void endCalls() {
        if (calls != null) {
            calls.end();
        }
    }

    // ---- choices

    FilterChoices choose() {
        choices = choices == null ? new FilterChoices(state) : choices;
        return choices;
    }

    /** Returns the choices of filters; null if they have made none. */
    @Nullable
    FilterChoices choices() {
        return choices;
    }

    /** Returns the id of the route that is chosen or matched; null if there is none. */
    @Nullable
    String route() {
        Route chosen = choices == null ? null : choices.route();
        chosen = chosen == null ? state.route() : chosen;
        return chosen == null ? null : chosen.id();
    }

    @Nullable
    String upstream() {
        Upstream chosen = choices == null ? null : choices.upstream();
        return chosen == null ? state.upstreamOfRoute() : chosen.name();
    }

    /** Limits the whole exchange. @param nanos the limit, from now on */
    void exchangeTimeout(long nanos) {
        host.limit(nanos);
    }

    long cost() {
        return state.cost();
    }

    /** Sets the cost. Filters of bodies set it on the event loop, too, when no filter has its turn. */
    void cost(long units) {
        state.cost(units);
    }

    /** Bans the client of the exchange. @throws IllegalArgumentException if the time or the reason is not permitted */
    void ban(Duration time, String reason) {
        ClientProtections clients = state.generation().clients();
        clients.bans()
                .add(
                        state.clientAddress(),
                        clients.clients(),
                        time,
                        reason,
                        Ban.Source.FILTER,
                        slot().name());
    }

    boolean isOnLoop() {
        return loop.loop().inLoop();
    }

    // ---- what filters read

    ExchangeState state() {
        return state;
    }

    /** Returns the request head; a stand-in if the bytes were not HTTP. */
    RequestHead requestHead() {
        RequestHead head = state.requestHead();
        if (head != null) {
            return head;
        }
        RequestHead other = standIn;
        if (other == null) {
            HttpHeaders none = DefaultHttpHeadersFactory.headersFactory().newHeaders();
            other = new RequestHead(HttpMethod.valueOf("-"), false, "/", null, "", none);
            standIn = other;
        }
        return other;
    }

    /** Returns the request head as it was before the first filter; the received one if the request was refused before. */
    RequestHead originalRequest() {
        RequestHead kept = original;
        return kept == null ? requestHead() : kept;
    }

    void originalRequest(RequestHead kept) {
        original = kept;
    }

    /** Returns the response head; null if there is none yet. */
    @Nullable
    ResponseHead responseHead() {
        return state.responseHead();
    }

    private boolean isTunnelGranted() {
        ResponseHead head = responseHead();
        return head != null && head.isTunnel();
    }

    @Nullable
    GatewayError error() {
        return state.error() == null && stage == FilterStage.FALLBACK ? state.remedyFor() : state.error();
    }

    @Override
    public void filterFailed() {
        state.filterFailed();
    }

    @Override
    public LogMark mark() {
        return new LogMark(state.requestId(), route());
    }
}
