package dev.lychgate.zuul;

import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;

/**
 * Applies the response in the context to the response of the exchange. Its order is the order of the filter with which
 * Zuul sends the response.
 */
final class CommitFilter implements OutboundFilter, SyncFilter {
    /** The order of the filter of Zuul that sends the response. */
    static final int ORDER = 1000;

    @Override
    public String name() {
        return "zuul-commit";
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public FailurePolicy onFailure() {
        return FailurePolicy.FAIL_CLOSED;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        return ZuulExchange.of(exchange) != null;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        ZuulExchange zuul = ZuulExchange.of(exchange);
        if (zuul != null) {
            zuul.onResponse(exchange);
            zuul.commit().apply(exchange);
        }
        return FilterOutcome.proceed();
    }
}
