package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;

/** What an exchange does about what its filters have come to: told by a {@link FilterRun}, as the last thing that it does. */
final class FilterSteps {
    private final Exchange exchange;

    FilterSteps(Exchange exchange) {
        this.exchange = exchange;
    }

    /** All filters of the stage have run. */
    void onFiltered(FilterStage stage) {
        switch (stage) {
            case GLOBAL -> exchange.forwarding().route();
            case ROUTE -> exchange.forwarding().onRouteFiltered();
            case ENDPOINT -> exchange.forwarding().handOn();
            case FALLBACK -> exchange.forwarding().onNoFallback();
            case ERROR -> exchange.failing().answer();
            case OUTBOUND -> exchange.answering().deliver();
        }
    }

    /** A filter answers later: nothing may happen to the exchange meanwhile, but its end. */
    void onWaits(FilterStage stage) {
        Attempt a = exchange.sending();
        if (stage.changesRequest() && exchange.request() == Half.BODY) {
            exchange.downstream().pauseReading();
        } else if ((stage == FilterStage.OUTBOUND || stage == FilterStage.FALLBACK) && a != null) {
            a.pauseReading();
        }
    }

    /** A filter needs the whole body of what it sees: {@link FilterRun#onBody()} is to be told when it is there. */
    void awaitBody(FilterStage stage) {
        if (stage.changesRequest()) {
            exchange.forwarding().readWholeBody();
        } else {
            exchange.answering().readOn();
        }
    }

    /** A filter has answered. */
    void onAnswer(FilterStage stage, FilterOutcome.Respond answer) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        answer.headers().forEach(field -> headers.add(field.getKey(), field.getValue()));
        if (stage == FilterStage.OUTBOUND) {
            exchange.answering().endOutbound();
        }
        if (stage == FilterStage.OUTBOUND || stage == FilterStage.FALLBACK) {
            exchange.endAttempt(null);
            exchange.answering().drop();
        }
        exchange.answering().answer(new ResponseHead(answer.status(), headers), Unpooled.wrappedBuffer(answer.body()));
    }

    /** A filter refuses, or has failed and fails closed. */
    void onFailure(FilterStage stage, GatewayError error) {
        if (stage == FilterStage.FALLBACK) {
            // What it was to answer for is what the client should know.
            exchange.forwarding().onNoFallback();
            return;
        }
        if (stage == FilterStage.OUTBOUND) {
            exchange.answering().endOutbound();
        } else if (stage == FilterStage.ERROR) {
            exchange.failing().endFilters();
        }
        exchange.failing().endBy(error);
    }

    /** Handling what a filter decided has thrown. @param what in words */
    void onFault(String what, Throwable cause) {
        exchange.failing().onFault(what, cause);
    }

    /** A run that had waited has done what could be done for now. */
    void onResumed() {
        exchange.onResumed();
    }
}
