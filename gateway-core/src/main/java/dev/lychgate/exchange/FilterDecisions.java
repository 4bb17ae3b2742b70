package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.call.CallOuts;
import dev.lychgate.exchange.filtering.CallSender;
import dev.lychgate.exchange.filtering.FilterHost;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.Executor;

/** Continues, responds to or fails an exchange according to the outcomes of its filters. */
record FilterDecisions(ExchangeParts exchange, RequestSteps steps) implements FilterHost {
    @Override
    public void onFiltered(FilterStage stage) {
        switch (stage) {
            case AUTHENTICATE_LISTENER -> steps.from(RequestStep.GLOBAL_FILTERS, exchange);
            case GLOBAL -> steps.from(RequestStep.ROUTE, exchange);
            case AUTHENTICATE_ROUTE -> steps.from(RequestStep.AUTHORIZE, exchange);
            case AUTHORIZE -> steps.from(RequestStep.ROUTE_RATES, exchange);
            case ROUTE -> steps.from(RequestStep.CACHE, exchange);
            case ENDPOINT -> steps.from(RequestStep.RESPOND, exchange);
            case FALLBACK -> exchange.fallback().onNoResponse();
            case ERROR -> exchange.failureHandler().respond();
            case OUTBOUND -> exchange.relay.deliver();
        }
    }

    @Override
    public void onFilterPending(FilterStage stage) {
        if (stage.changesRequest() && exchange.state.request() == Half.BODY) {
            exchange.state.downstream().pauseReading();
        } else if (stage == FilterStage.OUTBOUND || stage == FilterStage.FALLBACK) {
            exchange.relay.origin.pause();
        }
    }

    @Override
    public void readWholeBody(FilterStage stage) {
        if (!stage.changesRequest()) {
            exchange.relay.origin.resume();
            return;
        }
        RequestHead head = exchange.state.requireRequestHead();
        if (head.headers().contains(HttpHeaderNames.EXPECT)) {
            // The origin has not received the request yet, so the gateway permits the client to send the body (RFC
            // 9110, 10.1.1).
            head.headers().remove(HttpHeaderNames.EXPECT);
            exchange.state.downstream().writeInformational(new ResponseHead(100, EmptyHttpHeaders.INSTANCE));
            exchange.state.downstream().flush();
        }
        exchange.state.downstream().resumeReading();
    }

    @Override
    public void onFilterResponse(FilterStage stage, FilterOutcome.Respond response) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        response.headers().forEach(field -> headers.add(field.getKey(), field.getValue()));
        if (stage == FilterStage.OUTBOUND) {
            exchange.relay.endOutbound();
        }
        if (stage == FilterStage.OUTBOUND || stage == FilterStage.FALLBACK) {
            exchange.endAttempt(null);
            exchange.relay.drop();
        }
        if (stage == FilterStage.ERROR) {
            exchange.failureHandler().complete(response.status(), headers);
        }
        exchange.relay.respond(new ResponseHead(response.status(), headers), Unpooled.wrappedBuffer(response.body()));
    }

    @Override
    public void onFilterFailure(FilterStage stage, GatewayError error) {
        if (stage == FilterStage.FALLBACK) {
            // The client receives the failure for which the filter was called.
            exchange.fallback().onNoResponse();
            return;
        }
        if (stage == FilterStage.OUTBOUND) {
            exchange.relay.endOutbound();
            // A failed call-out is not recorded as a failure of the origin, because the origin has responded.
            exchange.endAttempt(null);
        } else if (stage == FilterStage.ERROR) {
            exchange.failureHandler().endFilters();
        }
        failLogged(error);
    }

    @Override
    public void onFault(String what, Throwable cause) {
        exchange.failureHandler().onFault(what, cause);
    }

    @Override
    public void onResumed() {
        exchange.onResumed();
    }

    @Override
    public void onBodyDemand() {
        exchange.relay.onBodyDemand();
    }

    @Override
    public void onRequestDemand() {
        Attempts attempts = exchange.attempts();
        if (attempts != null) {
            attempts.onRequestDemand();
        }
    }

    @Override
    public void onRequestSent() {
        Attempts attempts = exchange.attempts();
        if (attempts != null) {
            attempts.onRequestSent();
        }
    }

    @Override
    public void fail(GatewayError error) {
        exchange.fail(error);
    }

    @Override
    public void failLogged(GatewayError error) {
        exchange.failLogged(error);
    }

    @Override
    public CallSender newCalls(Executor completing) {
        return new CallOuts(exchange.state, steps.upstreams(), completing);
    }

    @Override
    public void limit(long nanos) {
        exchange.endWithin(nanos);
    }
}
