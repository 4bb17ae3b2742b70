package dev.lychgate.filters.builtin;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;

/** Changes one parameter of the query of every request. */
final class ChangeQuery extends Builtin implements InboundFilter {
    private final QueryChange change;

    ChangeQuery(Settings settings, QueryChange change) {
        super(settings, change.name());
        this.change = change;
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        exchange.getRequest().setQuery(change.apply(exchange.getRequest().getQuery()));
        return exchange.proceed();
    }
}
