package dev.lychgate.exchange.filtering;

import dev.lychgate.access.OnLoop;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.Completion;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterLog;
import dev.lychgate.filter.FilterProperty;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Identity;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.tls.TlsSession;
import dev.lychgate.tracing.TraceContext;
import dev.lychgate.upstream.Endpoint;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The view of an exchange for its filters. Synchronous filters share one view. Each asynchronous filter has its own
 * view. If the gateway abandons such a filter, it revokes the view, because the exchange continues without the filter.
 */
final class ExchangeView extends ViewAccess implements FilterExchange, OnLoop {
    private @Nullable RequestView request;
    private @Nullable RequestView original;
    private @Nullable ResponseView response;

    /**
     * Creates a valid view.
     *
     * @param of the only filter that uses this view; null if several filters share the view
     */
    ExchangeView(FilterContext exchange, @Nullable FilterSlot of) {
        super(exchange, of);
    }

    @Override
    public void onLoop(Runnable task) {
        exchange.onLoop(task);
    }

    @Override
    public FilterRequest getRequest() {
        requireValid();
        RequestView view = request;
        if (view == null) {
            view = new RequestView(this, exchange.requestHead(), false);
            request = view;
        }
        return view;
    }

    @Override
    public FilterRequest getOriginalRequest() {
        requireValid();
        if (!filter().needsOriginalRequest()) {
            throw new IllegalStateException("filter " + filter().name()
                    + " can't read the original request; add originalRequest() to the filter's declaration");
        }
        RequestView view = original;
        if (view == null) {
            view = new RequestView(this, exchange.originalRequest(), true);
            original = view;
        }
        return view;
    }

    @Override
    public FilterResponse getResponse() {
        requireValid();
        ResponseHead head = exchange.responseHead();
        if (head == null) {
            throw new IllegalStateException(
                    "there is no response yet; only outbound filters and completion actions can read it");
        }
        ResponseView view = response;
        if (view == null || view.head() != head) {
            view = new ResponseView(this, head);
            response = view;
        }
        return view;
    }

    @Override
    public @Nullable GatewayError getError() {
        return exchange.error();
    }

    @Override
    public String getRequestId() {
        return exchange.state().requestId();
    }

    @Override
    public @Nullable String getTraceId() {
        TraceContext trace = exchange.state().trace();
        return trace == null ? null : trace.traceId();
    }

    @Override
    public @Nullable String getTraceparent() {
        TraceContext trace = exchange.state().trace();
        return trace == null ? null : trace.traceparent();
    }

    @Override
    public Instant getTime() {
        return exchange.state().inputs().time();
    }

    @Override
    public RandomGenerator getRandom() {
        return exchange.state().inputs().random();
    }

    @Override
    public long getGeneration() {
        return exchange.state().generation().number();
    }

    @Override
    public String getListener() {
        return exchange.state().downstream().listener();
    }

    @Override
    public InetAddress getClientAddress() {
        return exchange.state().clientAddress();
    }

    @Override
    public InetAddress getPeerAddress() {
        return exchange.state().downstream().peer().getAddress();
    }

    @Override
    public @Nullable TlsSession getTls() {
        return exchange.state().downstream().tls();
    }

    @Override
    public @Nullable Identity getIdentity() {
        return exchange.state().identity();
    }

    @Override
    public void setIdentity(@Nullable Identity identity) {
        requireRequestChangeable();
        exchange.state().identify(identity);
    }

    @Override
    public @Nullable String getRoute() {
        return exchange.route();
    }

    @Override
    public void setRoute(String id) {
        requireRequestChangeable();
        exchange.choose().route(id, exchange.stage());
    }

    @Override
    public @Nullable String getEndpointFilter() {
        requireValid();
        FilterChoices choices = exchange.choices();
        FilterSlot chosen = choices == null ? null : choices.endpointFilter();
        return chosen == null ? null : chosen.name();
    }

    @Override
    public void setEndpointFilter(String name) {
        requireRequestChangeable();
        exchange.choose().endpointFilter(name, exchange.stage());
    }

    @Override
    public @Nullable String getUpstream() {
        return exchange.upstream();
    }

    @Override
    public void setUpstream(String name) {
        requireRequestChangeable();
        exchange.choose().upstream(name);
    }

    @Override
    public FilterCall call(String upstreamName) {
        requireValid();
        if (isShared()) {
            throw new IllegalStateException(
                    "a synchronous filter can't wait for a call-out; declare the filter by async { } or blocking { }");
        }
        return CallBuilder.to(upstreamName, exchange.state().generation(), this::send);
    }

    private CompletableFuture<CallResponse> send(CallRequest request) {
        requireValid();
        CallFuture<CallResponse> answer = exchange.future();
        exchange.onLoop(() -> exchange.calls().send(filter(), this::isValid, request, answer));
        return answer;
    }

    @Override
    public void setResponseTimeout(Duration timeout) {
        requireRequestChangeable();
        exchange.choose().responseTimeout(positive(timeout));
    }

    @Override
    public void setExchangeTimeout(Duration timeout) {
        requireRequestChangeable();
        exchange.exchangeTimeout(positive(timeout));
    }

    @Override
    public void addResponseHeader(String name, String value) {
        requireRequestChangeable();
        exchange.addToResponse(name, FieldSyntax.settable(name, value));
    }

    @Override
    public void varyBy(String field) {
        requireRequestChangeable();
        if (!FieldSyntax.isName(field)) {
            throw new IllegalArgumentException("the name of the header field is malformed");
        }
        exchange.state().varyBy(field);
    }

    @Override
    public long getCost() {
        requireAccessToCost();
        return exchange.cost();
    }

    @Override
    public void setCost(long units) {
        requireAccessToCost();
        if (units < 0) {
            throw new IllegalArgumentException("the cost of an exchange is " + units + " (expected: 0 or more)");
        }
        exchange.cost(units);
    }

    @Override
    public boolean isBrownout() {
        requireValid();
        return exchange.isBrownout();
    }

    @Override
    public void banClient(Duration time, String reason) {
        requireValid();
        exchange.ban(time, reason);
    }

    /**
     * Checks that the caller may access the cost of the exchange. Access is permitted while a filter runs. It is also
     * permitted later on the event loop, because a body transform may determine the cost.
     */
    private void requireAccessToCost() {
        if (!isValid() || !exchange.isOnLoop()) {
            requireValid();
        }
    }

    private static long positive(Duration timeout) {
        long nanos = timeout.toNanos();
        if (nanos <= 0) {
            throw new IllegalArgumentException("the timeout is " + timeout + " (expected: > 0)");
        }
        return nanos;
    }

    @Override
    public <T> T get(FilterProperty<T> property) {
        requireValid();
        return exchange.state().generation().filterSet().properties().get(property);
    }

    @Override
    public <T> @Nullable T get(AttributeKey<T> key) {
        requireValid();
        return key.type().cast(exchange.attributes().get(key));
    }

    @Override
    public <T> void set(AttributeKey<T> key, @Nullable T value) {
        requireValid();
        if (value == null) {
            exchange.attributes().remove(key);
        } else {
            exchange.attributes().put(key, key.type().cast(value));
        }
    }

    @Override
    public int getAttempts() {
        return exchange.state().attempts();
    }

    @Override
    public @Nullable String getEndpoint() {
        requireValid();
        Endpoint endpoint = exchange.state().endpoint();
        return endpoint == null ? null : endpoint.authority();
    }

    @Override
    public void onCompleted(Consumer<? super Completion> action) {
        requireValid();
        exchange.onCompleted(filter(), action);
    }

    @Override
    public FilterLog getLog() {
        return new FilterLog(filter().name(), exchange.state().requestId(), exchange.route());
    }
}
