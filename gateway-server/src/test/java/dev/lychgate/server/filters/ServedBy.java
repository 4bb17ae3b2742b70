package dev.lychgate.server.filters;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;

/** A filter that a jar provides as a service. */
public final class ServedBy implements OutboundFilter, SyncFilter {
    @Override
    public String name() {
        return "served-by";
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        exchange.getResponse().getHeaders().add("x-served-by", "a service");
        return exchange.proceed();
    }
}
